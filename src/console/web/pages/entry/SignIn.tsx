import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { keepSession, sessionHasEnded } from '../../api/access.ts'
import { answerOf, openApi } from '../../api/client.ts'
import { toFailure } from '../../api/failure.ts'
import { returnPathOf } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/fields.ts'
import { WithCode } from '../../components/WithCode.tsx'
import { entry } from '../../texts/en/entry.ts'
import { EntryFrame } from './EntryFrame.tsx'

/** Email and password, then the code where the account asks for one. */
export function SignInForm() {
  const [, navigate] = useLocation()
  const search = useSearch()
  const [needsCode, setNeedsCode] = useState(false)
  // Of when the page was opened: while the next session begins, nothing moves.
  const [hasEnded] = useState(sessionHasEnded)
  const form = useForm({
    initial: { email: '', password: '', code: '' },
    async send({ email, password, code }) {
      const given = needsCode ? { code: code.trim() } : {}
      return keepSession(await answerOf(openApi.auth.login.post({ email, password, ...given })))
    },
    onSuccess: () => navigate(returnPathOf(search), { replace: true }),
    onError: thrown => isCodeWanted(thrown) && setNeedsCode(true),
  })
  const beginAnew = () => {
    setNeedsCode(false)
    form.set({ password: '', code: '' })
    form.sent.reset()
  }
  const actions = (button: ReactNode) => (
    <>
      {button}
      {needsCode && (
        <Button variant="subtle" onClick={beginAnew}>
          {entry.otherAccount}
        </Button>
      )}
    </>
  )
  const below = !needsCode && (
    <Stack gap="xs">
      {[entry.firstUser, entry.forgotten].map(hint => (
        <Text key={hint} size="sm" c="dimmed">
          <WithCode text={hint} code={/(waypost user [a-z-]+)/} />
        </Text>
      ))}
    </Stack>
  )
  return (
    <EntryFrame title={entry.signIn} below={below}>
      <Form
        form={form}
        submit={entry.signIn}
        isWide
        actions={actions}
        refusal={failure => !isCodeWanted(failure) && <Refusal failure={toFailure(failure)} />}
      >
        {needsCode ? (
          <>
            <Text size="sm" role="status">
              {entry.codeWanted}
            </Text>
            <TextInput
              {...labelled(entry, 'code')}
              autoComplete="one-time-code"
              required
              autoFocus
              {...form.text('code')}
            />
          </>
        ) : (
          <>
            {hasEnded && (
              <Text size="sm" role="status">
                {entry.ended}
              </Text>
            )}
            <TextInput
              label={entry.email}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              autoFocus
              {...form.text('email')}
            />
            <PasswordInput
              label={entry.password}
              autoComplete="current-password"
              required
              withAsterisk={false}
              {...form.text('password')}
            />
          </>
        )}
      </Form>
    </EntryFrame>
  )
}

const isCodeWanted = (thrown: unknown) => toFailure(thrown).reason === 'SECOND_FACTOR_REQUIRED'

/** A wrong password is not an error to report: the sentence alone is shown. */
function Refusal({ failure }: { failure: ReturnType<typeof toFailure> }) {
  if (failure.status !== 401) return <ErrorView error={failure} />
  return (
    <Text c="var(--mantine-color-error)" size="sm" role="alert">
      {failure.message}
    </Text>
  )
}
