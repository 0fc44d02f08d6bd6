import { TextInput } from '@mantine/core'
import { useLocation } from 'wouter'
import { keepSession } from '../../api/access.ts'
import { answerOf, openApi } from '../../api/client.ts'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/fields.ts'
import { entry } from '../../texts/en/entry.ts'
import { DeadLink, EntryFrame } from './EntryFrame.tsx'
import { useLink } from './linkToken.ts'
import { NewPassword, noPassword, passwordRules } from './NewPassword.tsx'

/** From the link that the gateway prints to the first user. */
export function SetUp() {
  const { token, link, isGone } = useLink('setup', body => openApi.auth.setup.check.post(body))
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
  const form = useForm({
    initial: { workspaceName: '', name: '', email: '', ...noPassword },
    rules: passwordRules,
    async send({ workspaceName, name, email, newPassword: password }) {
      const given = {
        token,
        email,
        password,
        ...(name.trim() !== '' && { name: name.trim() }),
        ...(workspaceName.trim() !== '' && { workspaceName: workspaceName.trim() }),
      }
      return keepSession(await answerOf(openApi.auth.setup.post(given)))
    },
    onSuccess({ workspaces: [first] }) {
      navigate(first && !hasWorkspaces ? `/w/${first.id}/setup` : '/', { replace: true })
    },
  })
  return (
    <Form form={form} submit={entry.createAccount} isWide>
      {!hasWorkspaces && (
        <TextInput
          {...labelled(entry, 'workspaceName')}
          autoComplete="organization"
          required
          autoFocus
          {...form.text('workspaceName')}
        />
      )}
      <TextInput label={entry.name} autoComplete="name" {...form.text('name')} />
      <TextInput label={entry.email} type="email" autoComplete="username" required {...form.text('email')} />
      <NewPassword form={form} isFirst />
    </Form>
  )
}
