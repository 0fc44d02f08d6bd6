import { Alert, Group, PasswordInput, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { nameLengthMax } from '../../../../base/names.ts'
import { renewSession } from '../../api/access.ts'
import { answerOf, api } from '../../api/client.ts'
import { useAccount } from '../../app/session.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/fields.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { Section } from '../../components/Section.tsx'
import { texts } from '../../texts/texts.ts'
import { NewPassword, noPassword, passwordRules } from '../entry/NewPassword.tsx'
import { AppSection } from './AppSection.tsx'
import { Preferences } from './Preferences.tsx'
import { SignInList } from './SignIns.tsx'

const words = texts.account

/** The settings of the user's own account. */
export function AccountPage() {
  const { user } = useAccount()
  return (
    <>
      <PageHeader title={words.title} description={user.email} />
      <div className="halves section">
        <div>
          <Profile />
          <Preferences />
        </div>
        <div>
          <Password />
          <AppSection />
        </div>
      </div>
      <SignInList />
    </>
  )
}

function Profile() {
  const { user } = useAccount()
  const isChanged = () => form.fields.name.trim() !== (user.name ?? '')
  const form = useForm({
    initial: { name: user.name ?? '' },
    async send({ name }) {
      await answerOf(api.auth.account.patch({ name: name.trim() === '' ? null : name.trim() }))
      await renewSession()
    },
  })
  const save = (button: ReactNode) => (
    <Group>
      {button}
      {form.sent.isSuccess && !isChanged() && (
        <Text size="sm" role="status">
          {texts.common.saved}
        </Text>
      )}
    </Group>
  )
  return (
    <Section title={words.profile}>
      <Form form={form} submit={texts.common.save} isReady={isChanged()} actions={save}>
        <TextInput {...labelled(words, 'name')} autoComplete="name" maxLength={nameLengthMax} {...form.text('name')} />
      </Form>
    </Section>
  )
}

function Password() {
  const { user } = useAccount()
  const form = useForm({
    initial: { password: '', ...noPassword },
    rules: passwordRules,
    send: ({ password, newPassword }) => answerOf(api.auth.account.password.post({ password, newPassword })),
    onSuccess: () => form.reset(),
  })
  const { password, newPassword, repeated } = form.fields
  const isWritten = password !== '' && newPassword !== '' && repeated !== ''
  const change = (button: ReactNode) => (
    <>
      {form.sent.data && (
        <Alert color="teal" role="status">
          {words.passwordChanged(form.sent.data.ended)}
        </Alert>
      )}
      <Group>{button}</Group>
    </>
  )
  return (
    <Section title={words.password} hint={words.passwordHint}>
      <Form form={form} submit={words.changePassword} isReady={isWritten} actions={change}>
        {/* For the browser's store of passwords. */}
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        <PasswordInput
          label={words.currentPassword}
          autoComplete="current-password"
          required
          {...form.text('password')}
        />
        <NewPassword form={form} />
      </Form>
    </Section>
  )
}
