import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { dropSession, renewSession } from '../../api/access.ts'
import { answerOf, api } from '../../api/client.ts'
import { useAccount } from '../../app/session.tsx'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { fieldErrors } from '../../components/formErrors.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { texts } from '../../texts/texts.ts'
import { NewPassword, usePasswordDraft } from '../entry/NewPassword.tsx'
import { AppSection } from './AppSection.tsx'

const words = texts.account

/** What users change of themselves. */
export function AccountPage() {
  const { user } = useAccount()
  return (
    <>
      <PageHeader title={words.title} description={user.email} />
      <Profile />
      <Password />
      <AppSection />
      <SignIns />
    </>
  )
}

function Profile() {
  const { user } = useAccount()
  const [name, setName] = useState(user.name ?? '')
  const save = useMutation({
    mutationFn: async () => {
      await answerOf(api.auth.account.patch({ name: name.trim() === '' ? null : name.trim() }))
      await renewSession()
    },
  })
  return (
    <Section title={words.profile}>
      <form
        onSubmit={event => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Stack maw={420}>
          <TextInput
            label={words.name}
            description={words.nameHint}
            autoComplete="name"
            maxLength={100}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
          {save.error && <ErrorView error={save.error} />}
          <Group>
            <Button type="submit" loading={save.isPending}>
              {texts.common.save}
            </Button>
            {save.isSuccess && (
              <Text size="sm" role="status">
                {texts.common.saved}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

function Password() {
  const { user } = useAccount()
  const [current, setCurrent] = useState('')
  const draft = usePasswordDraft()
  const [isChecked, setIsChecked] = useState(false)
  const change = useMutation({
    mutationFn: () => answerOf(api.auth.account.password.post({ password: current, newPassword: draft.password })),
    onSuccess: () => {
      setCurrent('')
      draft.setFirst('')
      draft.setSecond('')
      setIsChecked(false)
    },
  })
  const wrong = change.error ? fieldErrors(change.error).password : undefined
  return (
    <Section title={words.password} hint={words.passwordHint}>
      <form
        onSubmit={event => {
          event.preventDefault()
          setIsChecked(true)
          if (draft.problem === null) change.mutate()
        }}
      >
        <Stack maw={420}>
          {/* For the browser's store of passwords. */}
          <input type="hidden" autoComplete="username" value={user.email} readOnly />
          <PasswordInput
            label={words.currentPassword}
            autoComplete="current-password"
            required
            value={current}
            onChange={event => setCurrent(event.currentTarget.value)}
            error={wrong}
          />
          <NewPassword draft={draft} isChecked={isChecked} />
          {change.error && !wrong && <ErrorView error={change.error} />}
          {change.data && (
            <Alert color="teal" role="status">
              {words.passwordChanged(change.data.ended)}
            </Alert>
          )}
          <Group>
            <Button type="submit" loading={change.isPending}>
              {words.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

function SignIns() {
  const [isAsking, setAsking] = useState(false)
  async function signOutEverywhere() {
    await answerOf(api.auth['logout-all'].post())
    dropSession()
  }
  return (
    <Section title={words.sessions} hint={words.sessionsHint}>
      <Button variant="default" onClick={() => setAsking(true)}>
        {words.signOutEverywhere}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={words.signOutEverywhere}
        confirmLabel={words.signOutEverywhere}
        onConfirm={signOutEverywhere}
      >
        <Text size="sm">{words.signOutQuestion}</Text>
      </ConfirmDialog>
    </Section>
  )
}
