/** The service's operation that lists the audit records of keys and tokens. */
import type { AuditRecord } from '../../src/domain/model.js';
import type { Service } from '../../src/service.js';
import { pageOf, type ServiceContext } from './context.js';

export const auditService = (c: ServiceContext): Pick<Service, 'listAudit'> => ({
  listAudit: (caller, page) =>
    pageOf(
      c,
      { workspace: caller.workspace, collection: 'audit', list: 'created' },
      page,
      null,
      ({ body }) => body as unknown as AuditRecord,
    ),
});
