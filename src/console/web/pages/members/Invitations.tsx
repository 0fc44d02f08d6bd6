import { Text } from '@mantine/core'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { type ListedInvitation, useInvitations } from './queries.ts'

const words = texts.members

/** The invitations whose links still work. */
export function Invitations() {
  const invitations = useInvitations()
  return (
    <Section title={words.invitations}>
      <DataTable
        label={words.invitations}
        columns={columns}
        rows={invitations.data?.invitations}
        keyOf={({ id }) => id}
        query={invitations}
        empty={<Text c="dimmed">{words.noInvitations}</Text>}
      />
    </Section>
  )
}

const columns: readonly Column<ListedInvitation>[] = [
  { header: words.email, place: 'who', render: ({ email }) => <Address email={email} /> },
  { header: words.role, place: 'how', render: ({ role }) => texts.common.roles[role] },
  { header: words.invitedBy, place: 'what', render: ({ invitedBy }) => <Address email={invitedBy} /> },
  { header: words.expires, place: 'when', render: ({ expiresAt }) => <Time at={expiresAt} precision="relative" /> },
  actionColumn(invitation => (invitation.isOfOperator ? null : <Withdraw invitation={invitation} />)),
]

function Withdraw({ invitation: { id, email } }: { invitation: ListedInvitation }) {
  const { routes, change } = useWorkspaceRoutes()
  return (
    <ConfirmButton
      label={words.withdraw}
      button={{ size: 'xs', variant: 'default', 'aria-label': words.withdrawTitle(email) }}
      title={words.withdrawTitle(email)}
      confirmLabel={words.withdraw}
      onConfirm={() => change(routes.invitations({ invitationId: id }).delete(), 'invitations')}
    >
      <Text size="sm">{words.withdrawQuestion}</Text>
    </ConfirmButton>
  )
}

/** An email address in a column: cut where the column ends. */
export const Address = ({ email }: { email: string }) => (
  <div className="one-line" title={email}>
    {email}
  </div>
)
