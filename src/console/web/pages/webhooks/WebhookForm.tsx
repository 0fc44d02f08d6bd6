import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/labelled.ts'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { texts } from '../../texts/texts.ts'
import { useLines } from '../channels/queries.ts'
import { useWebhooks, type Webhook } from './queries.ts'
import { WebhookSecret } from './WebhookSecret.tsx'

/** What the fields hold: several choices are one text with commas. */
type Fields = {
  readonly url: string
  readonly description: string
  readonly allEvents: boolean
  readonly events: string
  readonly allLines: boolean
  readonly lineIds: string
  readonly headers: string
  readonly removesHeaders: boolean
}

/** A form, and then the new endpoint's secret. */
export function AddWebhook({ onDone }: { onDone: () => void }) {
  const { routes, refresh } = useWorkspaceRoutes()
  const form = useWebhookForm(null, {
    send: (draft, headers) => answerOf(routes.webhooks.post({ ...draft, ...(headers && { headers }) })),
    onSuccess: () => void refresh(),
  })
  if (form.sent.data) return <WebhookSecret {...form.sent.data} title={words.secretTitle} onDone={onDone} />
  return <WebhookForm form={form} submit={words.add} hasHeaders={false} onCancel={onDone} />
}

/** Changes an endpoint. */
export function EditWebhook({ webhook, onDone }: { webhook: Webhook; onDone: () => void }) {
  const { routes, change } = useWorkspaceRoutes()
  const { id: webhookId, hasHeaders } = webhook
  const form = useWebhookForm(webhook, {
    send: (draft, headers) => change(routes.webhooks({ webhookId }).put({ ...draft, ...(headers && { headers }) })),
    onSuccess: onDone,
  })
  return <WebhookForm form={form} submit={texts.common.save} hasHeaders={hasHeaders} onCancel={onDone} />
}

interface Draft {
  readonly url: string
  readonly description: string | null
  readonly events: Webhook['events']
  readonly lineIds: string[] | null
}

function useWebhookForm<Answer>(
  webhook: Webhook | null,
  options: {
    /** Headers are null when they stay as they are. */
    readonly send: (draft: Draft, headers: Record<string, string> | null) => Promise<Answer>
    readonly onSuccess: () => void
  },
) {
  const { url = '', description = null, events = null, lineIds = null } = webhook ?? {}
  const initial: Fields = {
    url,
    description: description ?? '',
    allEvents: events === null,
    events: events?.join() ?? '',
    allLines: lineIds === null,
    lineIds: lineIds?.join() ?? '',
    headers: '',
    removesHeaders: false,
  }
  return useForm<Fields, Answer>({
    initial,
    rules: {
      url: value => (value.trim() === '' ? words.required : null),
      headers: value => (headersOf(value) === null ? words.headersForm : null),
      events: (value, { allEvents }) => (allEvents || value !== '' ? null : words.chooseEvents),
      lineIds: (value, { allLines }) => (allLines || value !== '' ? null : words.chooseLines),
    },
    noValidate: true,
    // Own headers may hold a token. A change of an endpoint begins with what it is now.
    ...(webhook === null && { draftWithout: ['headers'] }),
    send(fields) {
      const headers = headersOf(fields.headers) ?? {}
      const isChanged = fields.removesHeaders || Object.keys(headers).length > 0
      const draft = {
        url: fields.url.trim(),
        description: fields.description.trim() || null,
        // The form offers only types that the gateway has named.
        events: fields.allEvents ? null : (listOf(fields.events) as NonNullable<Webhook['events']>),
        lineIds: fields.allLines ? null : listOf(fields.lineIds),
      }
      return options.send(draft, isChanged ? headers : null)
    },
    onSuccess: options.onSuccess,
  })
}

function WebhookForm(props: {
  form: ReturnType<typeof useWebhookForm<unknown>>
  submit: string
  hasHeaders: boolean
  onCancel: () => void
}) {
  const { form, submit, hasHeaders, onCancel } = props
  const types = useWebhooks().data?.eventTypes ?? []
  const lines = useLines().data?.lines ?? []
  const { removesHeaders } = form.fields
  return (
    <Form form={form} submit={submit} onCancel={onCancel}>
      <TextInput
        {...labelled(words, 'url')}
        type="url"
        inputMode="url"
        autoComplete="off"
        required
        data-autofocus
        {...form.text('url')}
      />
      <TextInput {...labelled(words, 'name')} maxLength={120} {...form.text('description')} />
      <Choices
        form={form}
        label={words.events}
        all={['allEvents', words.allEvents]}
        name="events"
        hint={words.eventsHint}
        choices={types.map(({ type, meaning }) => ({ value: type, label: type, hint: meaning }))}
      />
      <Choices
        form={form}
        label={words.lines}
        all={['allLines', words.allLines]}
        name="lineIds"
        hint={words.linesHint}
        choices={lines.map(({ id, number }) => ({ value: id, label: number }))}
      />
      {hasHeaders && (
        <Checkbox
          label={words.headersRemove}
          checked={removesHeaders}
          onChange={event => form.set({ removesHeaders: event.currentTarget.checked })}
        />
      )}
      {!removesHeaders && (
        <Textarea
          label={words.headers}
          description={hasHeaders ? `${words.headersHint} ${words.headersKept}` : words.headersHint}
          autosize
          minRows={2}
          autoComplete="off"
          spellCheck={false}
          {...form.text('headers')}
        />
      )}
    </Form>
  )
}

/** All of them, or some: the others are offered only then. */
function Choices(props: {
  form: ReturnType<typeof useWebhookForm<unknown>>
  label: string
  all: readonly [name: 'allEvents' | 'allLines', label: string]
  name: 'events' | 'lineIds'
  hint?: string
  choices: readonly { readonly value: string; readonly label: string; readonly hint?: string }[]
}) {
  const { form, label, all, name, hint, choices } = props
  const [allName, allLabel] = all
  const isAll = form.fields[allName] === true
  const choose = (chosen: readonly string[]) =>
    form.set(chosen.includes(allName) ? { [allName]: true } : { [allName]: false, [name]: chosen.join() })
  return (
    <Checkbox.Group
      label={label}
      description={hint}
      error={form.text(name).error}
      value={isAll ? [allName] : listOf(String(form.fields[name]))}
      onChange={choose}
    >
      <Stack gap="xs" my="xs">
        <Checkbox value={allName} label={allLabel} />
        {!isAll &&
          choices.map(choice => (
            <Checkbox key={choice.value} value={choice.value} label={choice.label} description={choice.hint} ml="lg" />
          ))}
      </Stack>
    </Checkbox.Group>
  )
}

const listOf = (text: string): string[] => text.split(',').filter(part => part !== '')

/** @returns null when a line is no header */
function headersOf(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const headers = lines.map(line => /^([^:]+):(.*)$/.exec(line))
  if (headers.some(match => match === null)) return null
  return Object.fromEntries(headers.map(match => [match?.[1]?.trim() ?? '', match?.[2]?.trim() ?? '']))
}
