import { Button, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { keepSession } from '../../api/access.ts'
import { answerOf, openApi } from '../../api/client.ts'
import { toFailure } from '../../api/failure.ts'
import { ErrorView } from '../../components/ErrorView.tsx'
import { texts } from '../../texts/texts.ts'
import { DeadLink, EntryFrame } from './EntryFrame.tsx'
import { useLinkToken } from './linkToken.ts'
import { NewPassword, usePasswordDraft } from './NewPassword.tsx'

const { entry } = texts

/** From the link that the gateway prints to the first user. */
export function SetUp() {
  const token = useLinkToken()
  const link = useQuery({
    queryKey: ['setup', token],
    queryFn: () => answerOf(openApi.auth.setup.check.post({ token })),
    enabled: token !== '',
  })
  const isGone = token === '' || (link.error !== null && toFailure(link.error).status === 404)
  if (isGone) return <DeadLink hint={entry.setUpGoneHint} />
  return (
    <EntryFrame title={entry.setUp} hint={link.data?.hasWorkspaces ? entry.setUpExisting : entry.setUpHint}>
      {link.error && <ErrorView error={link.error} onRetry={() => void link.refetch()} />}
      {link.data && <SetUpForm token={token} hasWorkspaces={link.data.hasWorkspaces} />}
    </EntryFrame>
  )
}

function SetUpForm({ token, hasWorkspaces }: { token: string; hasWorkspaces: boolean }) {
  const [, navigate] = useLocation()
  const [workspaceName, setWorkspaceName] = useState('')
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const draft = usePasswordDraft()
  const [isChecked, setIsChecked] = useState(false)
  const setUp = useMutation({
    mutationFn: async () =>
      keepSession(
        await answerOf(
          openApi.auth.setup.post({
            token,
            email,
            password: draft.password,
            ...(name.trim() !== '' && { name: name.trim() }),
            ...(workspaceName.trim() !== '' && { workspaceName: workspaceName.trim() }),
          }),
        ),
      ),
    onSuccess: () => navigate('/', { replace: true }),
  })
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        setIsChecked(true)
        if (draft.problem === null) setUp.mutate()
      }}
    >
      <Stack>
        {!hasWorkspaces && (
          <TextInput
            label={entry.workspaceName}
            description={entry.workspaceNameHint}
            autoComplete="organization"
            required
            autoFocus
            value={workspaceName}
            onChange={event => setWorkspaceName(event.currentTarget.value)}
          />
        )}
        <TextInput
          label={entry.name}
          description={entry.optional}
          autoComplete="name"
          value={name}
          onChange={event => setName(event.currentTarget.value)}
        />
        <TextInput
          label={entry.email}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={event => setEmail(event.currentTarget.value)}
        />
        <NewPassword draft={draft} isChecked={isChecked} />
        {setUp.error && <ErrorView error={setUp.error} />}
        <Button type="submit" loading={setUp.isPending} fullWidth>
          {entry.createAccount}
        </Button>
      </Stack>
    </form>
  )
}
