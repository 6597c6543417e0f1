/** Export and import of the workspace as lines of JSON (docs/export.md). */
import { reference } from '../../src/domain/shared/input-fields.js';
import { thoughtFilter } from '../../src/domain/shared/filters.js';
import { download, upload, type Route } from './route.js';

export const transferRoutes: readonly Route[] = [
  download({
    operationId: 'exportRecords',
    path: '/v1/export',
    scope: 'workspace:admin',
    summary: 'Export the workspace or one agent as JSON lines, without credentials.',
    audited: true,
    result: 'ExportLine',
    filter: {
      agent_id: thoughtFilter.sessionId,
      after: reference.describe(
        'The id of an agent, of a hive or of this workspace: exports only what comes after it, to continue an export that was cut.',
      ),
    },
    handle: (service, { caller, filter }) => service.exportRecords(caller, filter),
  }),
  upload({
    operationId: 'importRecords',
    path: '/v1/import',
    scope: 'workspace:admin',
    summary: 'Import an export. What exists already stays as it is.',
    audited: true,
    result: 'ImportReport',
    filter: { new_ids: reference.describe('Replaces all ids, by others for another label.') },
    handle: (service, { caller, filter, lines }) => service.importRecords(caller, lines, filter),
  }),
];
