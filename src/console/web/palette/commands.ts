import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import {
  type Icon,
  IconBuilding,
  IconCalendar,
  IconLogout,
  IconMoon,
  IconPlugConnected,
  IconPlus,
  IconSun,
  IconUserCircle,
  IconUserPlus,
} from '@tabler/icons-react'
import type { UserRole } from '../../../../db/contract/roles.ts'
import { signOut } from '../api/access.ts'
import { navigation } from '../app/links.ts'
import { accountPath } from '../app/pages.ts'
import { useAccount, useWorkspaceIfAny } from '../app/session.tsx'
import { choicesOf } from '../components/fields.ts'
import { type DayRange, dayRanges } from '../components/times.ts'
import { newParameter } from '../components/useFilters.ts'
import { clientsPath } from '../pages/clients/ClientsLink.tsx'
import { messagesPath } from '../pages/messages/queries.ts'
import { templates } from '../texts/en/templates.ts'
import { webhooks } from '../texts/en/webhooks.ts'
import { texts } from '../texts/texts.ts'
import type { EntryGroup, PaletteEntry } from './entries.ts'

const words = texts.palette
const sought: Partial<Record<string, string>> = words.sought

/** Where something is made: the address opens its form. */
const makers: readonly (readonly [label: string, icon: Icon, path: string, access: UserRole])[] = [
  [texts.conversations.begin, IconPlus, `/conversations?${newParameter}=open`, 'member'],
  [texts.contacts.add, IconUserPlus, `/contacts?${newParameter}=open`, 'member'],
  [texts.apiKeys.create, IconPlus, `/api-keys?${newParameter}=open`, 'admin'],
  [templates.create, IconPlus, `/templates?${newParameter}=open`, 'member'],
  [webhooks.add, IconPlus, `/webhooks?${newParameter}=open`, 'admin'],
  [texts.members.inviteTitle, IconUserPlus, `/members?${newParameter}=open`, 'admin'],
  [texts.channels.connect, IconPlugConnected, '/channels/connect', 'admin'],
]

/** The pages that the user's role may open, what it may make, and what every user may do. */
export function useCommands(): readonly EntryGroup[] {
  const workspace = useWorkspaceIfAny()
  const { workspaces } = useAccount()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme() === 'dark'
  const base = `/w/${workspace?.id}`
  const may = ({ access }: { access: UserRole }) => workspace?.can(access) === true
  const pages: PaletteEntry[] = navigation
    .filter(may)
    .map(({ label, icon, path }) => ({ id: `page ${path}`, label, icon, to: base + path, sought: sought[path] }))
  const clients = { id: 'clients', label: texts.shell.titles.clients, icon: IconPlugConnected }
  if (workspace) pages.push({ ...clients, detail: texts.shell.clientNames, to: clientsPath(workspace.id) })
  const made: PaletteEntry[] = makers
    .map(([label, icon, path, access]) => ({
      ...{ id: `make ${path}`, label, icon, to: base + path, access, sought: sought[path] },
    }))
    .filter(may)
  const ranges = dayRanges(new Date())
  const ofDays: PaletteEntry[] = choicesOf(texts.common.dayRanges).map(({ value, label }) => ({
    id: `days ${value}`,
    label: `${texts.messages.title}: ${label}`,
    icon: IconCalendar,
    // The choices are its names.
    to: messagesPath(workspace?.id ?? '', ranges[value as DayRange]),
  }))
  const switches: PaletteEntry[] = workspaces
    .filter(({ id }) => id !== workspace?.id)
    .map(({ id, name }) => ({ id, label: words.openWorkspace(name), icon: IconBuilding, to: `/w/${id}` }))
  const [label, icon, scheme] = isDark
    ? ([words.light, IconSun, 'light'] as const)
    : ([words.dark, IconMoon, 'dark'] as const)
  return [
    {
      heading: words.pages,
      entries: [...pages, { id: 'account', label: texts.shell.account, icon: IconUserCircle, to: accountPath }],
    },
    {
      heading: words.commands,
      entries: [
        ...made,
        ...(workspace ? ofDays : []),
        { id: 'colours', label, icon, to: () => setColorScheme(scheme) },
        { id: 'sign out', label: texts.shell.signOut, icon: IconLogout, to: signOut },
      ],
    },
    { heading: words.workspaces, entries: switches },
  ]
}
