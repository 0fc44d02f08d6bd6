import { NavLink } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { Link, useLocation } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { isComplete, progressOf, useSetup } from './queries.ts'

/** Leads to the first steps, from every page, until all are done. */
export function SetupLink({ onChoice }: { onChoice: () => void }) {
  const { id } = useWorkspace()
  const [location] = useLocation()
  const { data } = useSetup()
  if (!data || isComplete(data)) return null
  const href = `/w/${id}/setup`
  return (
    <NavLink
      component={Link}
      href={href}
      label={progressOf(data).words}
      leftSection={<IconListCheck size={18} stroke={1.6} />}
      active={location === href}
      {...(location === href && { 'aria-current': 'page' as const })}
      onClick={onChoice}
    />
  )
}
