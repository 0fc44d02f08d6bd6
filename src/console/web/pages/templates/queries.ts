import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { isUnderReview } from '../../../../templates/authoring/lifecycle.ts'
import { answerOf, type RouteAnswer } from '../../api/client.ts'
import { useLiveQueries } from '../../api/live.tsx'
import { request } from '../../api/request.ts'
import { useWorkspace } from '../../app/session.tsx'
import { type Routes, useWorkspaceQuery, useWorkspaceRoutes, workspaceKey } from '../../app/workspaceData.ts'

/**
 * The addresses of the templates of a line. They contain `phoneNumberId`, because the contract says that callers can
 * read it there.
 */
export const listPath = (workspaceId: string, phoneNumberId: string) =>
  `/w/${workspaceId}/lines/${phoneNumberId}/templates`
export const newPath = (workspaceId: string, phoneNumberId: string, copyOf?: string) =>
  `${listPath(workspaceId, phoneNumberId)}/new${copyOf === undefined ? '' : `?copy=${copyOf}`}`
export const templatePath = (workspaceId: string, phoneNumberId: string, templateId: string) =>
  `${listPath(workspaceId, phoneNumberId)}/${templateId}`
export const editPath = (workspaceId: string, phoneNumberId: string, templateId: string) =>
  `${templatePath(workspaceId, phoneNumberId, templateId)}/edit`

/** While something is in review. The answer comes from the gateway's own database. */
const reviewPollMs = 3_000

export const useTemplateLines = () => useWorkspaceQuery(['phone-numbers'], routes => routes['phone-numbers'].get())

const listOf =
  (query: { phoneNumberId: string; offset: number; search?: string; status?: string; order?: 'use' | 'failures' }) =>
  (routes: Routes) =>
    routes.templates.get({ query })
export type ListedTemplates = NonNullable<Awaited<ReturnType<ReturnType<typeof listOf>>>['data']>
export type ShownTemplate = ListedTemplates['templates'][number]

/** The templates of a line that match the filters. */
export function useTemplates(
  phoneNumberId: string,
  filters: { search?: string; status?: string; order?: string; offset?: number } = {},
) {
  const { search = '', status = '', order, offset = 0 } = filters
  const chosen: 'use' | 'failures' | undefined = order === 'use' || order === 'failures' ? order : undefined
  const query = {
    ...{ phoneNumberId, offset },
    ...(search !== '' && { search }),
    ...(status !== '' && { status }),
    ...(chosen && { order: chosen }),
  }
  return useWorkspaceQuery(['templates', 'list', query], listOf(query), {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.templates.some(({ status }) => isUnderReview(status)) ? reviewPollMs : false,
  })
}

const templateOf = (templateId: string) => (routes: Routes) => routes.templates({ templateId }).get()
export type TemplateDetail = NonNullable<Awaited<ReturnType<ReturnType<typeof templateOf>>>['data']>

/** @param templateId null: there is none to read */
export const useTemplate = (templateId: string | null) =>
  useWorkspaceQuery(['templates', 'one', templateId], templateOf(templateId ?? ''), {
    enabled: templateId !== null,
    refetchInterval: ({ state }) => (state.data && isUnderReview(state.data.template.status) ? reviewPollMs : false),
  })

/** Templates on the page are reloaded when a callback or a listing has changed them. */
export const useLiveTemplates = () =>
  // The reason of a status is an update of its own.
  useLiveQueries(['templates', 'health'], workspaceKey(useWorkspace().id, 'templates'))

/** A change of templates, after which all templates on the page are reloaded. */
export function useTemplateChange<Given, Data>(change: (routes: Routes, given: Given) => Promise<RouteAnswer<Data>>) {
  const { routes, refresh } = useWorkspaceRoutes()
  return useMutation({
    mutationFn: (given: Given) => answerOf(change(routes, given)),
    onSettled: () => refresh('templates'),
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
