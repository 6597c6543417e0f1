/** What is served at a path, whatever its protocol. */
import type { GatewayRequest, GatewayResponse } from './prototypes.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Endpoint {
  method: Method;
  /** A path template, with colons that begin no parameter escaped; one trailing slash is ignored, except by DELETE. */
  path: string;
  /** May throw or reject: the error is answered. */
  serve: (req: GatewayRequest, res: GatewayResponse) => void | Promise<void>;
}
