-- wrk script: posts ready-made bodies from a file, each after its length as eight hexadecimal digits.
local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
end

function init(args)
  bodies = assert(io.open(args[1], "rb"))
  path = args[2]
  repeated = 0
  headers = {
    ["Content-Type"] = "application/x-sentry-envelope",
    ["Content-Encoding"] = "gzip",
    ["X-Sentry-Auth"] = "Sentry sentry_version=7, sentry_client=bench/1.0, sentry_key=" .. args[3],
  }
end

function request()
  local length = bodies:read(8)
  if length == nil then
    -- A server that keeps nothing may get the same bodies again; the caller checks it for the others.
    repeated = repeated + 1
    bodies:seek("set", 0)
    length = bodies:read(8)
  end
  return wrk.format("POST", path, headers, bodies:read(tonumber(length, 16)))
end

function done(summary, latency)
  io.write(string.format(
    "JSON {\"requests\":%d,\"seconds\":%.3f,\"non2xx\":%d,\"socket_errors\":%d,\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"repeated\":%d}\n",
    summary.requests, summary.duration / 1e6, summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, threads[1]:get("repeated")))
end
