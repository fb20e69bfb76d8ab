-- wrk script: posts the template with a unique id, one of 50 error types and one of 1,000 users. Arguments: template,
-- path, key, seed; then paths and keys of further targets, which get the events in turn.
local template, seed
local targets = {}
local counter = 0

function setup(thread)
  thread:set("number", tostring(thread.addr):len())
end

local function add_target(path, key)
  targets[#targets + 1] = {
    path = path,
    headers = {
      ["Content-Type"] = "application/json",
      ["X-Sentry-Auth"] = "Sentry sentry_version=7, sentry_client=bench/1.0, sentry_key=" .. key,
    },
  }
end

function init(args)
  local file = assert(io.open(args[1], "r"))
  template = file:read("*a"):gsub("%s+$", "")
  file:close()
  seed = tonumber(args[4]) or os.time()
  template = template:gsub("@TIME@", os.date("!%Y-%m-%dT%H:%M:%S.000000Z"))
  parts = {}
  -- Cutting the template once keeps the generator cheap: it shares the cores with what it measures.
  local from = 1
  for at, name, after in template:gmatch("()@(%u+)@()") do
    parts[#parts + 1] = template:sub(from, at - 1)
    parts[#parts + 1] = name
    from = after
  end
  tail = template:sub(from)
  add_target(args[2], args[3])
  for at = 5, #args - 1, 2 do
    add_target(args[at], args[at + 1])
  end
end

function request()
  counter = counter + 1
  local values = {
    ID = string.format("%08x%08x%016x", seed % 0x100000000, 0x5eed, counter),
    TYPE = tostring(counter % 50),
    USER = tostring((counter * 7) % 1000),
  }
  local out = {}
  for i = 1, #parts, 2 do
    out[#out + 1] = parts[i]
    out[#out + 1] = values[parts[i + 1]]
  end
  out[#out + 1] = tail
  local target = targets[counter % #targets + 1]
  return wrk.format("POST", target.path, target.headers, table.concat(out))
end

function done(summary, latency)
  io.write(string.format(
    "JSON {\"requests\":%d,\"seconds\":%.3f,\"non2xx\":%d,\"socket_errors\":%d,\"p50_ms\":%.3f,\"p99_ms\":%.3f}\n",
    summary.requests, summary.duration / 1e6, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
