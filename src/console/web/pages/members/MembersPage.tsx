import { Button, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { UserRole } from '../../../../../db/contract/roles.ts'
import { answerOf } from '../../api/client.ts'
import { useAccount, useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { EmptyList } from '../../components/EmptyList.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { Hint } from '../../components/Hint.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { ShownOnce } from '../../components/ShownOnce.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { useNewDialog } from '../../components/useFilters.ts'
import { texts } from '../../texts/texts.ts'
import { Address, Invitations } from './Invitations.tsx'
import { MemberMenu } from './MemberMenu.tsx'
import { type ListedMember, useMembers } from './queries.ts'
import { RoleChoice } from './RoleChoice.tsx'

const words = texts.members

/** The members of the workspace: they are invited, given another role and removed here. */
export function MembersPage() {
  const { id: workspaceId, can } = useWorkspace()
  const members = useMembers()
  const [isInviting, setInviting] = useNewDialog()
  // Admins manage all but owners.
  const mayManage = ({ role }: ListedMember) => can('admin') && (role !== 'owner' || can('owner'))
  const menu = (member: ListedMember) => (mayManage(member) ? <MemberMenu member={member} /> : null)
  const columns = can('admin') ? [...shownColumns, lastHere, actionColumn(menu)] : [...shownColumns, since]
  const invite = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setInviting(true)}>
      {words.invite}
    </Button>
  )
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={can('admin') && invite} />
      <div className="one-grid">
        <DataTable
          label={words.title}
          columns={columns}
          rows={members.data?.members}
          keyOf={({ id }) => id}
          hrefOf={({ email }) =>
            can('admin') ? `/w/${workspaceId}/audit?${new URLSearchParams({ by: `console:${email}` })}` : undefined
          }
          query={members}
          empty={<EmptyList title={words.none} />}
        />
        {can('admin') && <Invitations />}
      </div>
      <FormDialog opened={isInviting} onClose={() => setInviting(false)} title={words.inviteTitle}>
        <InviteForm onDone={() => setInviting(false)} />
      </FormDialog>
    </>
  )
}

const shownColumns: readonly Column<ListedMember>[] = [
  { header: words.name, place: 'who', render: member => <Person member={member} /> },
  {
    header: words.email,
    place: 'what',
    render: member => (
      <>
        <Address email={member.email} />
        <div className="on-telephone-below">
          {words.secondFactor}: {appOf(member)}
        </div>
      </>
    ),
  },
  { header: words.role, place: 'how', render: ({ role }) => texts.common.roles[role] },
  {
    header: words.secondFactor,
    place: 'aside',
    render: member => <StatusBadge tone={member.hasSecondFactor ? 'good' : 'quiet'}>{appOf(member)}</StatusBadge>,
  },
]

const appOf = ({ hasSecondFactor }: ListedMember) =>
  hasSecondFactor ? words.withSecondFactor : words.withoutSecondFactor

const since: Column<ListedMember> = {
  header: words.since,
  place: 'when',
  render: member => <Time at={member.since} precision="day" />,
}

const lastHere: Column<ListedMember> = {
  header: words.lastHere,
  place: 'when',
  render: ({ lastHereAt, hasSignedIn }) => (
    <Time at={lastHereAt} precision="relative" otherwise={hasSignedIn ? words.signedOut : words.neverSignedIn} />
  ),
}

function Person({ member: { id, email, name } }: { member: ListedMember }) {
  const { user } = useAccount()
  return (
    <span className="breakable">
      <bdi>{name ?? email}</bdi> {id === user.id && `(${words.you})`}
    </span>
  )
}

/** A form, and then the link to hand over, shown this once. */
function InviteForm({ onDone }: { onDone: () => void }) {
  const { routes, refresh } = useWorkspaceRoutes()
  const form = useForm({
    initial: { email: '', role: 'member' as UserRole },
    draftWithout: [],
    send: given => answerOf(routes.invitations.post(given)),
    onSuccess: () => void refresh('invitations'),
  })
  const { data: invited } = form.sent
  if (invited) {
    return (
      <ShownOnce title={words.invited} hint={words.invitedHint(invited.email)} done={words.done} onDone={onDone}>
        <CodeBlock text={invited.link} what={words.link} />
        {invited.note !== null && <Text size="sm">{invited.note}</Text>}
      </ShownOnce>
    )
  }
  return (
    <Form form={form} submit={words.invite} onCancel={onDone}>
      <Hint>{words.inviteHint}</Hint>
      <TextInput label={words.email} type="email" required data-autofocus autoComplete="off" {...form.text('email')} />
      <RoleChoice value={form.fields.role} onChange={role => form.set({ role })} />
    </Form>
  )
}
