import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { useWorkspace } from '../../app/session.tsx'
import { texts } from '../../texts/texts.ts'

/** @param lineId without it, the page begins with the line that sends use which name none */
export const clientsPath = (workspaceId: string, lineId?: string) =>
  `/w/${workspaceId}/channels/clients${lineId === undefined ? '' : `/${lineId}`}`

/** From where keys and webhooks are: who has a client in mind often looks there first. */
export const ClientsLink = () => (
  <Anchor component={Link} href={clientsPath(useWorkspace().id)} inherit underline="always">
    {texts.shell.connectClient}
  </Anchor>
)
