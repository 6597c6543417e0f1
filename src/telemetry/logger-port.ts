/**
 * The logger port: the part of pino's interface that the service uses. Consumers declare the levels that they need with
 * `Pick`.
 */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
