import { Text } from '@mantine/core'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ActionMenu } from '../../components/ActionMenu.tsx'
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
  {
    header: words.role,
    place: 'when',
    render: ({ role }) => (
      <Text span inherit c="var(--mantine-color-text)">
        {texts.common.roles[role]}
      </Text>
    ),
  },
  {
    header: words.invitedBy,
    place: 'more',
    render: ({ invitedBy, expiresAt }) => (
      <span className="breakable">
        <span className="on-telephone">{words.invitedBy}</span> {invitedBy}
        <span className="on-telephone">
          {' · '}
          {words.expires} <Time at={expiresAt} precision="relative" />
        </span>
      </span>
    ),
  },
  {
    header: words.expires,
    place: 'how',
    render: ({ expiresAt }) => (
      <span className="untold">
        <Time at={expiresAt} precision="relative" />
      </span>
    ),
  },
  actionColumn(invitation => (invitation.isOfOperator ? null : <Withdraw invitation={invitation} />)),
]

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
