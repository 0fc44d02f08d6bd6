import { Button, Checkbox, Group, Input, NativeSelect, SegmentedControl, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { languages } from '../../../../../db/contract/preferences.ts'
import { changeAccount } from '../../api/access.ts'
import { answerOf, api } from '../../api/client.ts'
import { useAccount } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { choicesOf, labelled } from '../../components/fields.ts'
import { Hint } from '../../components/Hint.tsx'
import { Section } from '../../components/Section.tsx'
import { Warning } from '../../components/Warning.tsx'
import { preferences as words } from '../../texts/en/preferences.ts'
import { capital } from '../../texts/texts.ts'
import { permission, ring } from '../conversations/call.ts'

type Choices = Parameters<typeof api.auth.account.preferences.patch>[0]

const enterValues = { auto: null, sends: true, breaks: false } as const
const enterNames = Object.keys(enterValues) as (keyof typeof enterValues)[]
const notified = choicesOf(words.notificationChoices)
/** Each in its own words, so that who reads no other finds it. */
const spoken = languages.map(value => ({
  value,
  label: capital(new Intl.DisplayNames(value, { type: 'language' }).of(value) ?? value),
}))

/** What the user prefers, on every device. */
export function Preferences() {
  const { preferences } = useAccount()
  /** Shown at once, and until the gateway has answered. */
  const [chosen, choose] = useState<Choices>({})
  const { language, enterSends, notifications, sound, notificationText } = { ...preferences, ...chosen }
  const [allowed, setAllowed] = useState(permission)
  const saving = useMutation({
    mutationFn: async (choices: Choices) => changeAccount(await answerOf(api.auth.account.preferences.patch(choices))),
  })
  const save = (choices: Choices) => {
    choose(before => ({ ...before, ...choices }))
    saving.mutate(choices, { onSettled: () => choose({}) })
  }
  const ask = async () => {
    if (permission() === 'default') await Notification.requestPermission()
    setAllowed(permission())
  }
  const isOff = notifications === 'off'
  return (
    <Section title={words.title} hint={words.hint}>
      <Stack aria-busy={saving.isPending}>
        <NativeSelect
          {...labelled(words, 'language')}
          value={language ?? ''}
          data={[{ value: '', label: words.languageOfBrowser }, ...spoken]}
          onChange={({ currentTarget: { value } }) =>
            saving.mutate({ language: languages.find(one => one === value) ?? null })
          }
        />
        <NativeSelect
          {...labelled(words, 'enterSends')}
          value={enterNames.find(name => enterValues[name] === enterSends)}
          data={choicesOf(words.enterChoices)}
          onChange={({ currentTarget: { value } }) =>
            save({ enterSends: enterValues[value as keyof typeof enterValues] })
          }
        />
        <Input.Wrapper label={words.notifications} labelElement="div" description={words.notificationsHint}>
          <SegmentedControl
            fullWidth
            mt={6}
            aria-label={words.notifications}
            value={notifications}
            data={notified}
            onChange={value => {
              // Browsers let a page ask only while it answers a click.
              if (value !== 'off') void ask()
              save({ notifications: value as typeof notifications })
            }}
          />
        </Input.Wrapper>
        {!isOff && <Permission allowed={allowed} onAsk={() => void ask()} />}
        <Checkbox
          label={words.sound}
          disabled={isOff}
          checked={sound}
          onChange={({ currentTarget: { checked } }) => {
            if (checked) ring()
            save({ sound: checked })
          }}
        />
        <Checkbox
          {...labelled(words, 'notificationText')}
          disabled={isOff}
          checked={notificationText}
          onChange={({ currentTarget: { checked } }) => save({ notificationText: checked })}
        />
        {saving.error && <ErrorView error={saving.error} />}
      </Stack>
    </Section>
  )
}

/** What of notifications this browser shows, and what to do where it shows none. */
function Permission({ allowed, onAsk }: { allowed: ReturnType<typeof permission>; onAsk: () => void }) {
  switch (allowed) {
    case 'granted':
      return null
    case null:
      return <Warning>{words.unavailable}</Warning>
    case 'denied':
      return <Warning title={words.denied}>{words.deniedHint}</Warning>
    case 'default':
      return (
        <Group gap="xs">
          <Hint>{words.ask}</Hint>
          <Button size="xs" variant="light" onClick={onAsk}>
            {words.allow}
          </Button>
        </Group>
      )
  }
}
