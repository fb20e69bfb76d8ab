/** Browser report as servers convert it to an event, with the expected texts. */
interface SecurityReportSample {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly title: string;
  readonly culprit: string | null;
}

function csp(effective: string, blocked: string, violated: string, title: string, culprit = violated) {
  return {
    raw: {
      csp: {
        document_uri: 'https://shop.example/cart',
        referrer: 'https://search.example/',
        effective_directive: effective,
        violated_directive: violated,
        original_policy: "default-src 'self'; report-uri /report",
        blocked_uri: blocked,
        status_code: 200,
      },
      request: { url: 'https://shop.example/cart' },
    },
    title,
    culprit,
  };
}

const hosted = (kind: string, title: string) => ({
  raw: { [kind]: { date_time: '2026-11-20T10:00:00Z', hostname: 'Shop.example', port: 443 } },
  title,
  culprit: null,
});

/** Each one creates a separate error. */
export const SECURITY_REPORTS: readonly SecurityReportSample[] = [
  csp('script-src', 'https://evil.example/x.js?a=1', "script-src 'self'", "Blocked 'script-src' from 'evil.example'"),
  csp(
    'script-src',
    'http://other.example:8000/',
    "script-src 'self'",
    "Blocked 'script-src' from 'other.example:8000'",
  ),
  csp(
    'style-src',
    'http://other.example:8000/',
    'style-src cdn.example',
    "Blocked 'style-src' from 'other.example:8000'",
  ),
  csp(
    'default-src',
    'https://evil.example/',
    'default-src https://shop.example',
    "Blocked 'default-src' from 'evil.example'",
    "default-src 'self'",
  ),
  csp('img-src', 'data', 'img-src https:', "Blocked 'img-src' from 'data:'"),
  csp('img-src', 'blob:https://shop.example/1', 'img-src https:', "Blocked 'img-src' from 'blob:'"),
  csp('script-src', 'inline', "script-src 'self'", "Blocked inline 'script-src'"),
  csp('script-src', 'eval', "script-src 'self'", "Blocked eval 'script-src'"),
  csp('style-src', 'self', "style-src 'none'", "Blocked inline 'style-src'"),
  hosted('hpkp', "Public key pinning validation failed for 'shop.example'"),
  hosted('expectct', "Expect-CT failed for 'shop.example'"),
  hosted('expectstaple', "Expect-Staple failed for 'shop.example'"),
];
