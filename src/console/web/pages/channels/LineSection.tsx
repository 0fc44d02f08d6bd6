import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWorkspace } from '../../app/session.tsx'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { FormDialog } from '../../components/FormDialog.tsx'
import { labelled } from '../../components/fields.ts'
import { Hint } from '../../components/Hint.tsx'
import { whole } from '../../components/numbers.ts'
import { Section } from '../../components/Section.tsx'
import { connect as connectWords, channel as words } from '../../texts/en/channel.ts'
import { texts } from '../../texts/texts.ts'
import { LineTable } from './LineTable.tsx'
import { type CheckedNumber, factsOf, useLines, useOpenedPeople } from './queries.ts'

const typed = { upstreamPhoneId: '', number: '' }

/** The lines of a channel; and adding one, by hand or from what the platform lists. */
export function LineSection({ channelId, numbers }: { channelId: string; numbers: readonly CheckedNumber[] }) {
  const { can } = useWorkspace()
  const lines = useLines()
  const [added, setAdded] = useState(typed)
  const [isOpen, setOpen] = useState(false)
  const add = (next: typeof typed) => {
    setAdded(next)
    setOpen(true)
  }
  const close = () => setOpen(false)
  const own = lines.data?.lines.filter(line => line.channelId === channelId)
  const isLimited = own?.some(({ messagingLimit }) => messagingLimit !== null) ?? false
  const opened = useOpenedPeople(channelId, isLimited).data
  return (
    <Section
      title={texts.channels.lines}
      anchor="lines"
      actions={
        can('admin') && (
          <Button variant="default" size="xs" onClick={() => add(typed)}>
            {words.addLine}
          </Button>
        )
      }
    >
      <LineTable rows={own} query={lines} numbers={numbers} />
      {opened && (
        <Text size="sm" c="dimmed" mt="sm">
          {words.opened(whole(opened.count), opened.isMore)}
        </Text>
      )}
      {numbers
        .filter(({ lineId }) => lineId === null)
        .map(listed => {
          const { upstreamPhoneId, number } = listed
          const name = number ?? upstreamPhoneId
          return (
            <Group key={upstreamPhoneId} justify="space-between" className="below-rule">
              <div>
                <Text size="sm">{words.noLine(name)}</Text>
                <Hint>{factsOf(listed)}</Hint>
              </div>
              <Button
                size="xs"
                variant="default"
                aria-label={`${words.add}: ${name}`}
                onClick={() => add({ upstreamPhoneId, number: number ?? '' })}
              >
                {words.add}
              </Button>
            </Group>
          )
        })}
      <FormDialog opened={isOpen} onClose={close} title={words.addLine}>
        <AddLineForm channelId={channelId} initial={added} onDone={close} />
      </FormDialog>
    </Section>
  )
}

function AddLineForm(props: { channelId: string; initial: typeof typed; onDone: () => void }) {
  const { channelId, initial, onDone } = props
  const { routes, change } = useWorkspaceRoutes()
  const form = useForm({
    initial,
    rules: {
      upstreamPhoneId: value => (/^[\w-]{1,64}$/.test(value.trim()) ? null : connectWords.digitsRule),
      number: value => (value.trim() === '' ? connectWords.requiredRule : null),
    },
    noValidate: true,
    send: given => change(routes.lines.post({ channelId, ...given, upstreamPhoneId: given.upstreamPhoneId.trim() })),
    onSuccess: onDone,
  })
  return (
    <Form form={form} submit={words.addLine} onCancel={onDone}>
      <TextInput {...labelled(words, 'lineNumber')} type="tel" required data-autofocus {...form.text('number')} />
      <TextInput {...labelled(words, 'upstreamPhoneId')} required {...form.text('upstreamPhoneId')} />
    </Form>
  )
}
