import { answerOf, api } from '../../api/client.ts'

export const readOverview = (workspaceId: string, days: number) =>
  answerOf(api.workspaces({ workspaceId }).overview.get({ query: { days } }))
export type Overview = Awaited<ReturnType<typeof readOverview>>

export const readUsage = (workspaceId: string) => answerOf(api.workspaces({ workspaceId }).usage.get())
