import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import { currentSession, currentToken, keepSession, onSessionChange, renewSession } from '../../api/access.ts'
import { answerOf, api, openApi } from '../../api/client.ts'
import { signInPath } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { Hint } from '../../components/Hint.tsx'
import { entry } from '../../texts/en/entry.ts'
import { texts } from '../../texts/texts.ts'
import { DeadLink, EntryFrame } from './EntryFrame.tsx'
import { useLink } from './linkToken.ts'
import { NewPassword, noPassword, passwordRules } from './NewPassword.tsx'

/** Accepts an invitation: as a new user, or with an existing account. */
export function AcceptInvitation() {
  const { token, link, isGone } = useLink('invitation', body => openApi.auth.invitations.check.post(body))
  if (isGone) return <DeadLink hint={entry.invitationGoneHint} />
  if (!link.data) {
    return (
      <EntryFrame title={entry.join}>
        {link.error ? (
          <ErrorView error={link.error} onRetry={() => void link.refetch()} />
        ) : (
          <Text role="status">{texts.common.loading}</Text>
        )}
      </EntryFrame>
    )
  }
  const { workspaceName, invitedBy, role, email, account } = link.data
  return (
    <EntryFrame
      title={entry.invitation(workspaceName)}
      hint={entry.invitedBy(invitedBy, email, texts.common.roles[role])}
    >
      {account === 'there' ? (
        <Join token={token} email={email} />
      ) : (
        <Accept token={token} email={email} isNew={account === 'none'} />
      )}
    </EntryFrame>
  )
}

/** @param isNew whether the address has no account yet; else the operator has reset it with this link */
function Accept({ token, email, isNew }: { token: string; email: string; isNew: boolean }) {
  const [, navigate] = useLocation()
  const form = useForm({
    initial: { name: '', ...noPassword },
    rules: passwordRules,
    async send({ name, newPassword: password }) {
      const given = { token, password, ...(name.trim() !== '' && { name: name.trim() }) }
      return keepSession(await answerOf(openApi.auth.invitations.accept.post(given)))
    },
    onSuccess: () => navigate('/', { replace: true }),
  })
  return (
    <Form form={form} submit={isNew ? entry.createAccount : entry.setPassword} isWide>
      {/* For the browser's store of passwords. */}
      <input type="hidden" autoComplete="username" value={email} readOnly />
      {isNew ? (
        <TextInput label={entry.name} autoComplete="name" autoFocus {...form.text('name')} />
      ) : (
        <Text size="sm">{entry.accountReset}</Text>
      )}
      <NewPassword form={form} isFirst={isNew} />
    </Form>
  )
}

function Join({ token, email }: { token: string; email: string }) {
  const [, navigate] = useLocation()
  const session = useSyncExternalStore(onSessionChange, currentSession)
  useEffect(() => {
    // A browser that is signed in needs no password.
    currentToken().catch(() => null)
  }, [])
  const join = useMutation({
    mutationFn: async () => {
      const { workspaces } = await answerOf(api.auth.invitations.join.post({ token }))
      // The session knows the workspaces of its user.
      await renewSession()
      return workspaces
    },
    onSuccess: () => navigate('/', { replace: true }),
  })
  if (session === null) {
    return (
      <Stack>
        <Text size="sm">{entry.signInToJoin}</Text>
        <Hint>{entry.notYourAccount}</Hint>
        <Anchor component={Link} href={`${signInPath}?return=/invitation`}>
          {entry.signIn}
        </Anchor>
      </Stack>
    )
  }
  if (session.user.email !== email) return <Text size="sm">{entry.otherUser(session.user.email)}</Text>
  return (
    <Stack>
      <Text size="sm">{entry.joinAs(email)}</Text>
      {join.error && <ErrorView error={join.error} />}
      <Button loading={join.isPending} onClick={() => join.mutate()} fullWidth>
        {entry.join}
      </Button>
    </Stack>
  )
}
