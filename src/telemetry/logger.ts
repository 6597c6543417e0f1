/** The logger that everything is given: the part of pino's that the service uses. A consumer names what it needs of it with `Pick`. */
export interface Logger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
