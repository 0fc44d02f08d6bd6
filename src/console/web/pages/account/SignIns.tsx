import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { leaveSession } from '../../api/access.ts'
import { answerOf, api } from '../../api/client.ts'
import { ConfirmButton } from '../../components/ConfirmDialog.tsx'
import { actionColumn, type Column, DataTable } from '../../components/DataTable.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Section } from '../../components/Section.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { Time } from '../../components/Time.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.account
const routes = api.auth.account['sign-ins']

const useSignIns = () =>
  useQuery({ queryKey: ['account', 'sign-ins'], queryFn: async () => (await answerOf(routes.get())).signIns })
type SignIn = NonNullable<ReturnType<typeof useSignIns>['data']>[number]

const nameOf = ({ device }: SignIn) => device ?? words.unknownDevice

const columns: readonly Column<SignIn>[] = [
  {
    header: words.device,
    place: 'who',
    render: signIn => (
      <Group gap="xs">
        {nameOf(signIn)}
        {signIn.isCurrent && <StatusBadge tone="good">{words.thisBrowser}</StatusBadge>}
      </Group>
    ),
  },
  { header: words.network, place: 'what', render: ({ network }) => network ?? words.unknownNetwork },
  {
    header: words.signedIn,
    place: 'more',
    render: ({ signedInAt }) => (
      <>
        <span className="on-telephone">{words.signedIn}: </span>
        <Time at={signedInAt} precision="planned" />
      </>
    ),
  },
  {
    header: words.lastUsed,
    place: 'how',
    render: ({ lastUsedAt }) => (
      <>
        <span className="on-telephone">{words.lastUsed}: </span>
        <Time at={lastUsedAt} precision="relative" />
      </>
    ),
  },
]

/** Where the user is signed in. Each sign-in can be ended, and all together. */
export function SignInList() {
  const signIns = useSignIns()
  const end = ({ id: signInId }: SignIn) => answerOf(routes({ signInId }).delete())
  // Also one that has ended meanwhile leaves the list.
  const ending = useMutation({ mutationFn: end, onSettled: () => signIns.refetch() })
  async function leave(asked: Promise<unknown>) {
    await asked
    leaveSession()
  }
  const button = (signIn: SignIn) => {
    const props = { variant: 'default', size: 'xs' }
    if (signIn.isCurrent) {
      return (
        <ConfirmButton
          label={texts.shell.signOut}
          button={props}
          title={words.endThisTitle}
          confirmLabel={texts.shell.signOut}
          onConfirm={() => leave(end(signIn))}
        >
          <Text size="sm">{words.endThisQuestion}</Text>
        </ConfirmButton>
      )
    }
    const isEnding = ending.isPending && ending.variables.id === signIn.id
    return (
      <Button
        {...props}
        aria-label={`${texts.shell.signOut}: ${nameOf(signIn)}`}
        loading={isEnding}
        onClick={() => ending.mutate(signIn)}
      >
        {texts.shell.signOut}
      </Button>
    )
  }
  return (
    <Section title={words.sessions} hint={words.sessionsHint}>
      <Stack>
        {ending.error && <ErrorView error={ending.error} />}
        <DataTable
          label={words.sessions}
          columns={[...columns, actionColumn(button)]}
          rows={signIns.data}
          keyOf={({ id }) => id}
          query={signIns}
          empty={null}
        />
        <Group>
          <ConfirmButton
            label={words.signOutEverywhere}
            button={{ variant: 'default' }}
            title={words.signOutEverywhere}
            confirmLabel={words.signOutEverywhere}
            onConfirm={() => leave(answerOf(api.auth['logout-all'].post()))}
          >
            <Text size="sm">{words.signOutQuestion}</Text>
          </ConfirmButton>
        </Group>
      </Stack>
    </Section>
  )
}
