import { Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { type EventType, isPlatformType } from '../../../../base/eventTypes.ts'
import { nameLengthMax } from '../../../../base/names.ts'
import { answerOf } from '../../api/client.ts'
import { randomWord } from '../../api/request.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { all, Choices, chosenOf } from '../../components/Choices.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/fields.ts'
import { ShownOnce } from '../../components/ShownOnce.tsx'
import { webhooks as words } from '../../texts/en/webhooks.ts'
import { texts } from '../../texts/texts.ts'
import { LineChoices } from '../channels/LineChoices.tsx'
import { useWebhooks, type Webhook } from './queries.ts'

/**
 * The fields of an endpoint, then the secret of a new one.
 * @param props.webhook that is changed; null: a new one
 * @param props.clientLineId a new one gets callbacks of this line at first, for a client of the platform
 * @param props.onDone gets the id of a new one that was added
 */
export function WebhookForm(props: {
  webhook: Webhook | null
  clientLineId?: string
  onDone: (addedId?: string) => void
}) {
  const { webhook, clientLineId, onDone } = props
  const { routes, refresh, change } = useWorkspaceRoutes()
  const types = useWebhooks().data?.eventTypes ?? []
  const form = useForm({
    initial: {
      url: webhook?.url ?? '',
      format: webhook?.format ?? ((clientLineId ? 'platform' : 'events') as Webhook['format']),
      verifyToken: '',
      description: webhook?.description ?? '',
      events: webhook?.events?.join() ?? all,
      lineIds: webhook?.lineIds?.join() ?? clientLineId ?? all,
      headers: '',
      removesHeaders: false as boolean,
    },
    rules: {
      url: value => (value.trim() === '' ? words.required : null),
      headers: value => (headersOf(value) === null ? words.headersForm : null),
      events: value => (value === '' ? words.chooseEvents : null),
      lineIds: value => (value === '' ? words.chooseLines : null),
    },
    noValidate: true,
    // Own headers may hold a token. A change of an endpoint begins with what it is now.
    ...(webhook === null && { draftWithout: ['headers', 'verifyToken'] }),
    async send(fields) {
      const headers = headersOf(fields.headers) ?? {}
      const draft = {
        url: fields.url.trim(),
        description: fields.description.trim() || null,
        // The form offers only types that the gateway has named.
        events: chosenOf(fields.events) as Webhook['events'],
        lineIds: chosenOf(fields.lineIds),
        // They stay as they are where nothing is said about them.
        ...((fields.removesHeaders || Object.keys(headers).length > 0) && { headers }),
        ...(fields.format === 'platform' && fields.verifyToken !== '' && { verifyToken: fields.verifyToken }),
      }
      if (webhook === null) return answerOf(routes.webhooks.post({ ...draft, format: fields.format }))
      await change(routes.webhooks({ webhookId: webhook.id }).put(draft))
      return null
    },
    onSuccess: added => (added === null ? onDone() : void refresh()),
  })
  const { removesHeaders, url, format, verifyToken } = form.fields
  const isOfPlatform = format === 'platform'
  const isMoved = webhook !== null && url.trim() !== webhook.url
  const { data: added } = form.sent
  if (added) {
    return <NewWebhookSecret {...added} title={words.secretTitle} onDone={() => onDone(added.id)} />
  }
  return (
    <Form form={form} submit={webhook === null ? words.add : texts.common.save} onCancel={() => onDone()}>
      <TextInput
        {...labelled(words, 'url')}
        type="url"
        inputMode="url"
        autoComplete="off"
        required
        data-autofocus
        {...form.text('url')}
      />
      {webhook === null && (
        <NativeSelect
          {...labelled(words, 'format')}
          data={Object.entries(words.formats).map(([value, label]) => ({ value, label }))}
          {...form.text('format')}
          onChange={({ currentTarget: { value } }) => form.set({ format: value as Webhook['format'], events: all })}
        />
      )}
      {isOfPlatform && (webhook === null || isMoved) && (
        <Stack gap="xs">
          <TextInput
            {...labelled(words, 'verifyToken')}
            autoComplete="off"
            rightSection={verifyToken !== '' && <CopyButton text={verifyToken} what={words.verifyToken} />}
            {...form.text('verifyToken')}
          />
          <Group>
            <Button size="xs" variant="default" onClick={() => form.set({ verifyToken: randomWord() })}>
              {words.makeVerifyToken}
            </Button>
          </Group>
        </Stack>
      )}
      <TextInput {...labelled(words, 'name')} maxLength={nameLengthMax} {...form.text('description')} />
      {/* What a new one seldom needs. */}
      <details open={webhook !== null || undefined}>
        <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
          {words.more}
        </Text>
        <Stack mt="sm">
          <Choices
            label={words.events}
            description={isOfPlatform ? words.platformEventsHint : words.eventsHint}
            {...form.text('events')}
            onChange={events => form.set({ events })}
            whole={words.allOf[isOfPlatform ? 'platform' : 'events']}
            choices={types
              .filter(({ type }) => !isOfPlatform || isPlatformType(type as EventType))
              .map(({ type, meaning }) => ({ value: type, label: type, description: meaning }))}
          />
          <LineChoices form={form} words={words} />
          {webhook?.hasHeaders && !isMoved && (
            <Checkbox
              label={words.headersRemove}
              checked={removesHeaders}
              onChange={event => form.set({ removesHeaders: event.currentTarget.checked })}
            />
          )}
          {(isMoved || !removesHeaders) && (
            <Textarea
              label={words.headers}
              description={
                webhook?.hasHeaders
                  ? `${words.headersHint} ${isMoved ? words.headersDropped : words.headersKept}`
                  : words.headersHint
              }
              autosize
              minRows={2}
              autoComplete="off"
              spellCheck={false}
              {...form.text('headers')}
            />
          )}
        </Stack>
      </details>
    </Form>
  )
}

/** A new secret of an endpoint. */
export const NewWebhookSecret = (props: {
  title: string
  format: Webhook['format']
  secret: string
  onDone: () => void
  children?: ReactNode
}) => (
  <ShownOnce
    {...props}
    hint={words.secretHint}
    values={[[words.secrets[props.format], props.secret]]}
    done={words.copied}
  />
)

/** @returns null when a line is no header */
function headersOf(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter(line => line.trim() !== '')
  const headers = lines.map(line => /^([^:]+):(.*)$/.exec(line))
  if (headers.some(match => match === null)) return null
  return Object.fromEntries(headers.map(match => [match?.[1]?.trim() ?? '', match?.[2]?.trim() ?? '']))
}
