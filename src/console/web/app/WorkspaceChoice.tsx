import { NativeSelect } from '@mantine/core'
import { useLocation } from 'wouter'
import { texts } from '../texts/texts.ts'
import { useAccount } from './session.tsx'

/** Changes to another workspace. */
export function WorkspaceChoice({ workspaceId }: { workspaceId: string }) {
  const { workspaces } = useAccount()
  const [, navigate] = useLocation()
  return (
    <NativeSelect
      aria-label={texts.shell.workspace}
      value={workspaceId}
      data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={event => navigate(`/w/${event.currentTarget.value}`)}
    />
  )
}
