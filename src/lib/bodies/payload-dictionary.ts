/**
 * Preset dictionary of the codec: text that payloads share, with the cheapest references at the end. Part of format 1:
 * a changed byte makes stored payloads unreadable. A better dictionary needs a new format number.
 */
export const payloadDictionary = Buffer.from(
  [
    '"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36"',
    '["Accept","*/*"],["Accept-Encoding","gzip, deflate, br"],["Content-Type","application/json"],["Host","localhost"],["User-Agent","',
    '"url":"https://","method":"GET","POST","query_string":[],"headers":[["cookies":[],"data":null,"env":{}}',
    '"sentry.python","sentry.javascript.node","sentry.javascript.browser","sentry.java","sentry.go","sentry.php","sentry.ruby","sentry.rust"',
    '"contexts":{"runtime":{"name":"CPython","version":"3.11.7","build":"3.11.7 (main, "},"trace":{"trace_id":"","span_id":"","parent_span_id":null,"op":"http.server"},"os":{"name":"Linux","version":"","kernel_version":""},"device":{"arch":"x64","memory_size":,"processor_count":,"cpu_description":""},"culture":{"locale":"en-US","timezone":"UTC"},"browser":{"name":"Chrome","version":"',
    '"type":"ValueError","TypeError","KeyError","IndexError","AttributeError","RuntimeError","Error","java.lang","NullPointerException","IllegalStateException",',
    '"/usr/local/lib/python3.11/site-packages/django/core/handlers/exception.py","node_modules/express/lib/router/layer.js","node:internal/modules/cjs/loader","handle_request","get_response","inner","<anonymous>","main","__main__","app.views","python","javascript","node","java","go","php","ruby","native"',
    '{"timestamp":"2026-01-01T00:00:00.000Z","type":"default","category":"query","level":"info","message":"SELECT ","data":null},{"timestamp":"","type":"http","category":"httplib","level":"info","message":null,"data":{"url":"","method":"GET","status_code":200,"reason":"OK"}},{"timestamp":"","type":"log","category":"console",',
    '"event_id":"","timestamp":"2026-","level":"error","platform":"python","logger":null,"release":"","dist":null,"environment":"production","server_name":"","transaction":"","message":null,"logentry":null,"exceptions":[{"type":"","value":"","module":null,"thread_id":null,"mechanism":{"type":"generic","handled":true,"synthetic":false,"exception_id":null,"parent_id":null,"is_exception_group":false,"source":null,"description":null,"data":null},"frames":[',
    '"threads":[],"breadcrumbs":[],"request":null,"user":{"id":"","username":null,"email":null,"name":null,"ip_address":null,"data":{}},"tags":[{"key":"","value":""}],"contexts":{},"extra":{"sys.argv":[""]},"modules":{"requests":"","urllib3":"","certifi":""},"sdk":{"name":"","version":""},"fingerprint":["{{ default }}"],"notes":[]}',
    '"in_app":false,"platform":null,"context_line":null,"pre_context":[],"post_context":[],"vars":null},',
    '{"filename":"","abs_path":"/app/","module":"","package":null,"function":"","lineno":,"colno":null,"in_app":true,"platform":null,"context_line":"    ","pre_context":["        return ","    def ","        if ","        self."],"post_context":["","        raise ","    except "],"vars":{"self":"<',
  ].join(''),
  'utf8',
);
