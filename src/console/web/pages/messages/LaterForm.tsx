import { Button, Stack, TextInput } from '@mantine/core'
import { Form, useForm } from '../../components/Form.tsx'
import { Hint } from '../../components/Hint.tsx'
import { Time } from '../../components/Time.tsx'
import { clockTime, dayAndClock, localMinute } from '../../components/times.ts'
import { later as words } from '../../texts/en/later.ts'
import { fieldMinute, laterBounds, presets } from './laterTimes.ts'

export interface LaterProps {
  /** @param sendAt as the API takes it */
  readonly onChoose: (sendAt: string) => Promise<unknown>
  readonly onDone: () => void
  /** Until when more than a template is sent; null: it is one, or nothing is known. */
  readonly windowEndsAt?: string | null
}

const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Chooses when a message is sent: one of the usual times, or any other. */
export function LaterForm({ onChoose, onDone, windowEndsAt = null }: LaterProps) {
  const now = new Date()
  const { soon, openings } = presets(now)
  const form = useForm({
    initial: { sendAt: '' },
    rules: { sendAt: problemOf },
    noValidate: true,
    send: ({ sendAt }) => onChoose(new Date(sendAt).toISOString()),
    onSuccess: onDone,
  })
  const preset = (at: Date, label: string) => (
    <Button
      key={label}
      variant="default"
      disabled={form.sent.isPending}
      onClick={() => form.sent.mutate({ sendAt: fieldMinute(at) })}
    >
      {label}
    </Button>
  )
  const { from, until } = laterBounds(now.getTime())
  return (
    <Stack gap="sm">
      {windowEndsAt !== null && (
        <Hint>
          {words.windowEnds} <Time at={windowEndsAt} precision="minute" />. {words.window}
        </Hint>
      )}
      {preset(soon, `${words.soon}, ${clockTime(soon)}`)}
      {openings.map(at => preset(at, dayAndClock(at, now)))}
      <Form form={form} submit={words.confirm} onCancel={onDone}>
        <TextInput
          type="datetime-local"
          required
          label={words.at}
          description={words.zone(zone)}
          min={fieldMinute(from)}
          max={fieldMinute(until)}
          {...form.text('sendAt')}
        />
      </Form>
    </Stack>
  )
}

function problemOf(sendAt: string): string | null {
  const { from, until } = laterBounds(Date.now())
  const at = Date.parse(sendAt)
  return at >= from.getTime() && at <= until.getTime() ? null : words.bounds(localMinute(from), localMinute(until))
}
