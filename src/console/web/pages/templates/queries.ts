import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { isUnderReview } from '../../../../templates/authoring/lifecycle.ts'
import { answerOf, api } from '../../api/client.ts'
import { useLiveQueries } from '../../api/liveQueries.ts'
import { request } from '../../api/request.ts'

/** While something is in review. The answer comes from the gateway's own database. */
const reviewPollMs = 3_000

export interface TemplateFilters {
  readonly search: string
  readonly status: string
  readonly offset: number
}

/** What is shown of templates is read again when a callback or a listing changed them. */
export const useLiveTemplates = (workspaceId: string): void =>
  // The reason of a status is an update of its own.
  useLiveQueries(['templates', 'health'], keyOf(workspaceId))

const keyOf = (workspaceId: string, ...rest: readonly unknown[]) => ['workspace', workspaceId, 'templates', ...rest]

export const linesQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['workspace', workspaceId, 'phone-numbers'],
    queryFn: () => answerOf(api.workspaces({ workspaceId })['phone-numbers'].get()),
  })

export const templatesQuery = (workspaceId: string, phoneNumberId: string, filters: TemplateFilters) =>
  queryOptions({
    queryKey: keyOf(workspaceId, 'list', phoneNumberId, filters),
    queryFn: () => {
      const { search, status, offset } = filters
      const query = { phoneNumberId, offset, ...(search !== '' && { search }), ...(status !== '' && { status }) }
      return answerOf(api.workspaces({ workspaceId }).templates.get({ query }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.templates.some(({ status }) => isUnderReview(status)) ? reviewPollMs : false,
  })

export const templateQuery = (workspaceId: string, templateId: string) =>
  queryOptions({
    queryKey: keyOf(workspaceId, 'one', templateId),
    queryFn: () => answerOf(api.workspaces({ workspaceId }).templates({ templateId }).get()),
    refetchInterval: ({ state }) => (state.data && isUnderReview(state.data.template.status) ? reviewPollMs : false),
  })

export type TemplateList = Awaited<ReturnType<NonNullable<ReturnType<typeof templatesQuery>['queryFn']>>>
export type ShownTemplate = TemplateList['templates'][number]
export type TemplateDetail = Awaited<ReturnType<NonNullable<ReturnType<typeof templateQuery>['queryFn']>>>

/** All lists of templates: after a deletion only they are read anew, because the template itself is gone. */
export const templateListsKey = (workspaceId: string) => keyOf(workspaceId, 'list')

/** A change of templates, after which all that is shown of them is read anew. */
export function useTemplateChange<Given, Answer>(workspaceId: string, change: (given: Given) => Promise<Answer>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(workspaceId) }),
  })
}

/** Uploads an example file: the body is the file itself. @returns its handle */
export async function uploadExample(
  workspaceId: string,
  phoneNumberId: string,
  kind: string,
  file: File,
): Promise<string> {
  const query = new URLSearchParams({ phoneNumberId, kind, fileName: file.name.slice(0, 200) })
  const response = await request(`/api/v1/workspaces/${workspaceId}/template-examples?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  })
  const { handle } = (await response.json()) as { handle: string }
  return handle
}
