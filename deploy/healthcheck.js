/**
 * Is this container's process alive? Ends with 0 when GET /livez answers 200, else with 1. It reads the port, the host and
 * whether TLS is served from the same settings as hivekeep; whose certificate that is does not matter from inside.
 */
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';

const { HIVEKEEP_HOST, HIVEKEEP_PORT, HIVEKEEP_TLS_CERT } = process.env;
const host = HIVEKEEP_HOST === '0.0.0.0' || !HIVEKEEP_HOST ? '127.0.0.1' : HIVEKEEP_HOST === '::' ? '::1' : HIVEKEEP_HOST;
const options = { host, port: Number(HIVEKEEP_PORT || 8420), path: '/livez', timeout: 4000, agent: false };
const request = HIVEKEEP_TLS_CERT ? httpsGet({ ...options, rejectUnauthorized: false }) : httpGet(options);
request.once('response', (response) => { process.exit(response.statusCode === 200 ? 0 : 1); });
request.once('timeout', () => { process.exit(1); });
request.once('error', () => { process.exit(1); });
