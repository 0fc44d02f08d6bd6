import {
  type Icon,
  IconAddressBook,
  IconKey,
  IconMessage,
  IconMessageCircle,
  IconTemplate,
  IconWebhook,
} from '@tabler/icons-react'
import { type QueryClient, useQueries } from '@tanstack/react-query'
import type { UserRole } from '../../../../db/contract/roles.ts'
import { isolated } from '../../../base/direction.ts'
import { answerOf, api } from '../api/client.ts'
import { useWorkspaceIfAny } from '../app/session.tsx'
import { type Routes, workspaceKey } from '../app/workspaceData.ts'
import { relativeTime } from '../components/times.ts'
import { addressBeside, contactName } from '../pages/contacts/queries.ts'
import { searchWith } from '../pages/conversations/hitQueries.ts'
import { keyName } from '../pages/keys/queries.ts'
import { type ListAnswer, recipientText } from '../pages/messages/queries.ts'
import { templatePath } from '../pages/templates/queries.ts'
import { webhookName } from '../pages/webhooks/queries.ts'
import { texts } from '../texts/texts.ts'
import { type EntryGroup, fitsLabel, type PaletteEntry } from './entries.ts'

/** A single letter is found everywhere. */
const charsMin = 2
/** Results of each kind. To see others, a person types more, or opens the list. */
const entriesMax = 5
/** Of what both sides wrote: some of it was sent, and stands elsewhere. */
const hitsMax = 20
/** Templates belong to accounts. Few workspaces have more of these, and each is one request. */
const accountsMax = 3

interface Asked {
  readonly text: string
  readonly workspaceId: string
  readonly routes: Routes
  /** Ends with the next letter. */
  readonly signal: AbortSignal
  /** Reads a list that is small and stays the same while somebody types. */
  readonly once: <Data>(part: string, ask: () => Promise<Data>) => Promise<Data>
}

interface Source {
  readonly heading: string
  readonly icon: Icon
  readonly access: UserRole
  readonly find: (asked: Asked) => Promise<readonly Omit<PaletteEntry, 'icon'>[]>
}

/** What is searched at the gateway, by the routes that the pages use. */
const sources: readonly Source[] = [
  {
    heading: texts.contacts.title,
    icon: IconAddressBook,
    access: 'viewer',
    async find({ text, workspaceId, routes, signal }) {
      const query = { q: text, limit: entriesMax }
      const { contacts } = await answerOf(routes.contacts.get({ query, fetch: { signal } }))
      return contacts.map(contact => ({
        id: contact.id,
        label: contactName(contact),
        detail: addressBeside(contact) ?? '',
        to: `/w/${workspaceId}/contacts/${contact.id}`,
      }))
    },
  },
  {
    heading: texts.messages.title,
    icon: IconMessage,
    access: 'viewer',
    async find({ text, workspaceId, routes, signal }) {
      const query = { q: text, limit: entriesMax }
      const { messages } = (await answerOf(routes.messages.get({ query, fetch: { signal } }))) as ListAnswer
      return messages.map(({ id, contact, recipient, words, templateName, status, createdAt }) => ({
        id,
        label: `${isolated(contact?.name ?? recipientText(recipient))}: ${isolated(words ?? templateName ?? id)}`,
        detail: `${texts.messages.statuses[status]} · ${relativeTime(new Date(createdAt), new Date())}`,
        to: `/w/${workspaceId}/messages/${id}`,
      }))
    },
  },
  {
    heading: texts.conversations.title,
    icon: IconMessageCircle,
    access: 'viewer',
    async find({ text, workspaceId, routes, signal }) {
      const query = { q: text, limit: hitsMax }
      const { hits } = await answerOf(routes['conversation-hits'].get({ query, fetch: { signal } }))
      // What the business sent is among the messages.
      const said = hits.filter(({ isOurs }) => !isOurs)
      return said.map(({ id, contact, at, words }) => ({
        id: `said ${id}`,
        label: `${isolated(contactName(contact))}: ${isolated(words)}`,
        detail: relativeTime(new Date(at), new Date()),
        to: `/w/${workspaceId}/conversations/${contact.id}${searchWith('', { find: text, at, hit: id })}`,
      }))
    },
  },
  {
    heading: texts.shell.titles.templates,
    icon: IconTemplate,
    access: 'viewer',
    async find({ text, workspaceId, routes, signal, once }) {
      const { phoneNumbers } = await once('phone-numbers', () => answerOf(routes['phone-numbers'].get()))
      const lines = new Map(phoneNumbers.map(line => [line.channelId, line.id]))
      const lists = await Promise.all(
        [...lines.values()].slice(0, accountsMax).map(async phoneNumberId => {
          const query = { phoneNumberId, search: text, limit: entriesMax }
          const { templates } = await answerOf(routes.templates.get({ query, fetch: { signal } }))
          return templates.map(({ id, name, language }) => ({
            id,
            label: name,
            detail: language,
            to: templatePath(workspaceId, phoneNumberId, id),
          }))
        }),
      )
      return lists.flat()
    },
  },
  {
    heading: texts.apiKeys.title,
    icon: IconKey,
    access: 'admin',
    async find({ text, workspaceId, routes, once }) {
      const { apiKeys } = await once('keys', () => answerOf(routes['api-keys'].get()))
      return apiKeys
        .filter(key => key.apiKey === text || fitsLabel(text, keyName(key)))
        .map(key => ({ id: key.apiKey, label: keyName(key), to: `/w/${workspaceId}/api-keys` }))
    },
  },
  {
    heading: texts.shell.titles.webhooks,
    icon: IconWebhook,
    access: 'viewer',
    async find({ text, workspaceId, routes, once }) {
      const { webhooks } = await once('webhooks', () => answerOf(routes.webhooks.get()))
      return webhooks
        .filter(({ id, description, url }) => id === text || fitsLabel(text, `${description ?? ''} ${url}`))
        .map(webhook => ({
          id: webhook.id,
          label: webhookName(webhook),
          detail: webhook.url,
          to: `/w/${workspaceId}/webhooks/${webhook.id}`,
        }))
    },
  },
]

const onceOf =
  (client: QueryClient, workspaceId: string): Asked['once'] =>
  (part, queryFn) =>
    client.fetchQuery({ queryKey: workspaceKey(workspaceId, part), queryFn })

/** Searches the workspace. @param text that somebody has stopped to type */
export function useFound(text: string) {
  const workspace = useWorkspaceIfAny()
  const workspaceId = workspace?.id ?? ''
  const routes = api.workspaces({ workspaceId })
  const asked = text.length < charsMin ? [] : sources.filter(({ access }) => workspace?.can(access) === true)
  const results = useQueries({
    queries: asked.map(({ heading, find }) => ({
      queryKey: workspaceKey(workspaceId, 'palette', heading, text),
      queryFn: ({ signal, client }: { signal: AbortSignal; client: QueryClient }) =>
        find({ text, workspaceId, routes, signal, once: onceOf(client, workspaceId) }),
    })),
  })
  const groups: EntryGroup[] = asked.map(({ heading, icon }, at) => ({
    heading,
    entries: (results[at]?.data ?? []).slice(0, entriesMax).map(entry => ({ ...entry, icon })),
  }))
  return {
    groups,
    isSearching: results.some(({ isFetching }) => isFetching),
    /** The subjects that could not be searched. */
    failed: asked.flatMap(({ heading }, at) => (results[at]?.isError ? [heading] : [])),
  }
}
