/**
 * The limits of each tier for an API key (docs/api.md 8.1, 8.2). Each agent token has the limits of its workspace's
 * tier. Sandboxes have a tier of their own, whatever that of their workspace is.
 */
import type { Tier } from '../domain/shared/vocabulary.js';
import type { Policy } from './port.js';

export interface KeyLimits {
  readonly requests: Policy;
  /** POST /v1/memories/search, in addition to `requests`. */
  readonly searches: Policy;
  /** Requests in progress, including open streams. */
  readonly concurrent: number;
}

export type TierLimits = Readonly<Record<Tier, KeyLimits>>;

export interface EnterpriseNumbers {
  requestsPerMinute: number;
  searchesPerMinute: number;
  concurrent: number;
}

/** The ratio of the burst to the sustained limit, the same for all tiers in docs/api.md 8.2. */
export const burstRatio = 1.5;

export const policyOf = (limit: number): Policy => ({ limit, burst: Math.floor(limit * burstRatio) });

/** Messages a minute between the agents of a workspace; null is unlimited. Messages beyond it are delivered later. */
const mailboxPolicies = {
  free: policyOf(300),
  pro: policyOf(3_000),
  team: policyOf(15_000),
  enterprise: null,
  sandbox: policyOf(300),
} as const;
export const mailboxPolicy = (tier: Tier): Policy | null => mailboxPolicies[tier];

const limits = (requests: number, searches: number, concurrent: number): KeyLimits => ({
  requests: policyOf(requests),
  searches: policyOf(searches),
  concurrent,
});

export const tierLimits = (enterprise: EnterpriseNumbers): TierLimits => ({
  free: limits(100, 50, 5),
  pro: limits(1_000, 500, 25),
  team: limits(5_000, 2_500, 100),
  enterprise: limits(enterprise.requestsPerMinute, enterprise.searchesPerMinute, enterprise.concurrent),
  sandbox: limits(50, 25, 2),
});
