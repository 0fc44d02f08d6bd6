import type { Access } from '../../src/console/guard.ts'

/** What one route demands. A route of the console without its line here fails the tests. */
export const accessTable: Readonly<Record<string, Access>> = {
  'POST /api/v1/auth/login': 'open',
  'POST /api/v1/auth/refresh': 'open',
  'POST /api/v1/auth/logout': 'open',
  'POST /api/v1/auth/logout-all': 'signedIn',
  'GET /api/v1/auth/me': 'signedIn',
  'GET /api/v1/workspaces/:workspaceId/phone-numbers': 'viewer',
  'GET /api/v1/workspaces/:workspaceId/templates': 'viewer',
  'GET /api/v1/workspaces/:workspaceId/templates/:templateId': 'viewer',
  'POST /api/v1/workspaces/:workspaceId/templates': 'member',
  'PUT /api/v1/workspaces/:workspaceId/templates/:templateId': 'member',
  'DELETE /api/v1/workspaces/:workspaceId/templates/:templateId': 'admin',
  'POST /api/v1/workspaces/:workspaceId/templates/sync': 'member',
  'POST /api/v1/workspaces/:workspaceId/templates/:templateId/test': 'member',
  'POST /api/v1/workspaces/:workspaceId/template-examples': 'member',
}
