import { NavLink, Stack, Text } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { UnreadMark } from '../pages/conversations/Unread.tsx'
import { SetupLink } from '../pages/firstRun/SetupLink.tsx'
import { texts } from '../texts/texts.ts'
import { navigation } from './links.ts'
import { useWorkspace } from './session.tsx'
import { WorkspaceChoice } from './WorkspaceChoice.tsx'

const titles = texts.shell.groups

/** The pages of the workspace that the user's role may open. @param onChoice a link was followed */
export function Navigation({ onChoice }: { onChoice: () => void }) {
  const { id, can } = useWorkspace()
  const [address] = useLocation()
  const base = `/w/${id}`
  // The pages of templates name their line first.
  const location = address.replace(/\/lines\/[^/]+\/templates/, '/templates')
  const isHere = (path: string) =>
    path === '' ? location === base : location === base + path || location.startsWith(`${base}${path}/`)
  const open = navigation.filter(({ access }) => can(access))
  return (
    <Stack gap={2} className="navigation">
      <WorkspaceChoice workspaceId={id} onNew={onChoice} />
      <Stack gap={2} mt="sm">
        <SetupLink onChoice={onChoice} />
        {[...Map.groupBy(open, ({ group }) => group)].map(([group, links]) => (
          <Stack key={group ?? ''} gap={2} role="group" aria-label={group && titles[group]}>
            {group && (
              <Text size="xs" c="dimmed" px="sm" pt="xs" aria-hidden>
                {titles[group]}
              </Text>
            )}
            {links.map(({ label, icon: LinkIcon, path }) => (
              <NavLink
                key={path}
                component={Link}
                href={base + path}
                label={label}
                title={label}
                leftSection={<LinkIcon size={18} stroke={1.6} />}
                {...(path === '/conversations' && { rightSection: <UnreadMark /> })}
                active={isHere(path)}
                {...(isHere(path) && { 'aria-current': 'page' as const })}
                onClick={onChoice}
              />
            ))}
          </Stack>
        ))}
      </Stack>
    </Stack>
  )
}
