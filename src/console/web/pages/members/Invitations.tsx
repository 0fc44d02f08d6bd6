import { Text, Title } from '@mantine/core'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ActionMenu } from '../../components/ActionMenu.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { type ListedInvitation, useInvitations, useMembers } from './queries.ts'

const words = texts.members

/** The invitations whose links still work. */
export function Invitations() {
  const invitations = useInvitations()
  return (
    <section aria-labelledby="invitations">
      <Title order={2} id="invitations" size="h3" mt="xl" mb="xs">
        {words.invitations}
      </Title>
      <DataTable
        label={words.invitations}
        columns={columns}
        rows={invitations.data?.invitations}
        keyOf={({ id }) => id}
        query={invitations}
        empty={<Text c="dimmed">{words.noInvitations}</Text>}
      />
    </section>
  )
}

const columns: readonly Column<ListedInvitation>[] = [
  { header: words.email, place: 'who', render: ({ email }) => <Address email={email} /> },
  { header: words.invitedBy, place: 'what', render: ({ invitedBy }) => <Inviter by={invitedBy} /> },
  { header: words.role, place: 'how', render: ({ role }) => texts.common.roles[role] },
  {
    header: words.expires,
    place: 'when',
    render: ({ expiresAt }) => (
      <>
        <span className="on-telephone">{words.expires}</span> <Time at={expiresAt} precision="relative" />
      </>
    ),
  },
  actionColumn(invitation => (invitation.isOfOperator ? null : <Withdraw invitation={invitation} />)),
]

/** A member by its name, as in the list above. */
function Inviter({ by }: { by: string }) {
  const member = useMembers().data?.members.find(({ email }) => email === by)
  return (
    <span className="breakable">
      <span className="on-telephone">{words.invitedBy}</span> <bdi>{member?.name ?? by}</bdi>
    </span>
  )
}

function Withdraw({ invitation: { id, email } }: { invitation: ListedInvitation }) {
  const { routes, change } = useWorkspaceRoutes()
  return (
    <ActionMenu
      of={email}
      actions={[
        {
          label: words.withdraw,
          title: words.withdrawTitle(email),
          dialog: {
            text: words.withdrawQuestion,
            confirmLabel: words.withdraw,
            onConfirm: () => change(routes.invitations({ invitationId: id }).delete(), 'invitations'),
          },
        },
      ]}
    />
  )
}

/** An email address in a column: whole, in several lines where it has to be. */
export const Address = ({ email }: { email: string }) => <bdi className="breakable">{email}</bdi>
