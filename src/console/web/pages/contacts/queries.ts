import { answerOf, api } from '../../api/client.ts'

export const readContacts = (workspaceId: string, filters: { q: string; cursor: string }) => {
  const { q, cursor } = filters
  const query = { ...(q !== '' && { q }), ...(cursor !== '' && { cursor }) }
  return answerOf(api.workspaces({ workspaceId }).contacts.get({ query }))
}
export type ListedContact = Awaited<ReturnType<typeof readContacts>>['contacts'][number]

export const readContact = (workspaceId: string, contactId: string) =>
  answerOf(api.workspaces({ workspaceId }).contacts({ contactId }).get())
export type ContactDetails = Awaited<ReturnType<typeof readContact>>
