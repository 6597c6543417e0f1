/**
 * Redacts credentials in logs in two ways: fields that are known to hold them are censored by name, and anything that
 * looks like one of our keys and tokens, a bearer header or a provider's key is masked in the finished line, whatever
 * error message or echoed input contained it.
 */
const names = [
  'authorization',
  'cookie',
  'apiKey',
  'api_key',
  'secret',
  'password',
  'token',
  'rootKey',
  'openaiApiKey',
  'anthropicApiKey',
];

/** Paths for pino's `redact`: each name at the top level and up to two levels down. */
export const redactedPaths: string[] = names.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

const credential = /\b(svc_(?:live|test)_|at_|sk-|Bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi;

/** `svc_live_abc...` becomes `svc_live_[redacted]`. */
export const maskCredentials = (line: string): string => line.replace(credential, '$1[redacted]');
