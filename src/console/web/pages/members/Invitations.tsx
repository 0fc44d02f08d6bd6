import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Section } from '../../components/Section.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'
import { type Invitation, useInvitations } from './queries.ts'

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

const columns: readonly Column<Invitation>[] = [
  {
    key: 'email',
    header: words.email,
    render: ({ email }) => (
      <Text size="sm" component="span" className="breakable">
        {email}
      </Text>
    ),
  },
  { key: 'role', header: words.role, render: ({ role }) => texts.common.roles[role] },
  { key: 'by', header: words.invitedBy, render: ({ invitedBy }) => <span className="breakable">{invitedBy}</span> },
  { key: 'expires', header: words.expires, render: ({ expiresAt }) => <Time at={expiresAt} /> },
  {
    key: 'actions',
    header: texts.common.actions,
    isUnnamed: true,
    render: invitation => (invitation.isOfOperator ? null : <Withdraw invitation={invitation} />),
  },
]

function Withdraw({ invitation: { id, email } }: { invitation: Invitation }) {
  const { routes, change } = useWorkspaceRoutes()
  const [isAsking, setAsking] = useState(false)
  const withdraw = () => change(routes.invitations({ invitationId: id }).delete(), 'invitations')
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)} aria-label={words.withdrawTitle(email)}>
        {words.withdraw}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={words.withdrawTitle(email)}
        confirmLabel={words.withdraw}
        onConfirm={withdraw}
      >
        <Text size="sm">{words.withdrawQuestion}</Text>
      </ConfirmDialog>
    </>
  )
}
