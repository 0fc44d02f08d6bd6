import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { choicesOf } from '../../components/choices.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/labelled.ts'
import { localTime } from '../../components/times.ts'
import { texts } from '../../texts/texts.ts'
import { KeySecret } from './KeySecret.tsx'
import type { ApiKey } from './queries.ts'

const words = texts.apiKeys

/** A form, and then the key with its secret. */
export function CreateKey({ onDone }: { onDone: () => void }) {
  const { routes, refresh } = useWorkspaceRoutes()
  const form = useForm({
    initial: { label: '', expiresAt: 'never', allowedNetworks: '' },
    send: ({ label, expiresAt, allowedNetworks }) =>
      answerOf(
        routes['api-keys'].post({
          ...(label.trim() !== '' && { label: label.trim() }),
          expiresAt: endOf(expiresAt),
          allowedNetworks: networksOf(allowedNetworks),
        }),
      ),
    onSuccess: () => void refresh(),
  })
  if (form.sent.data) return <KeySecret {...form.sent.data} onDone={onDone} />
  return (
    <Form form={form} submit={words.create} onCancel={onDone}>
      <TextInput {...labelled(words, 'label')} maxLength={120} data-autofocus {...form.text('label')} />
      <NativeSelect {...labelled(words, 'expires')} data={expiryChoices} {...form.text('expiresAt')} />
      <Textarea {...labelled(words, 'networks')} autosize minRows={2} {...form.text('allowedNetworks')} />
    </Form>
  )
}

/** The end stays as it is. */
const asNow = 'asNow'

/** Changes when a key ends and where it can be used from. */
export function LimitForm({ apiKey: key, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const { routes, change } = useWorkspaceRoutes()
  const end = key.expiresAt
  const choices = end === null ? expiryChoices : [{ value: asNow, label: localTime(new Date(end)) }, ...expiryChoices]
  const form = useForm({
    initial: { expiresAt: end === null ? 'never' : asNow, allowedNetworks: key.allowedNetworks?.join('\n') ?? '' },
    send: ({ expiresAt, allowedNetworks }) =>
      change(
        routes['api-keys']({ keyId: key.apiKey }).limits.put({
          expiresAt: expiresAt === asNow ? end : endOf(expiresAt),
          allowedNetworks: networksOf(allowedNetworks),
        }),
      ),
    onSuccess: onDone,
  })
  return (
    <Form form={form} submit={texts.common.save} onCancel={onDone}>
      <NativeSelect {...labelled(words, 'expires')} data={choices} data-autofocus {...form.text('expiresAt')} />
      <Textarea {...labelled(words, 'networks')} autosize minRows={2} {...form.text('allowedNetworks')} />
    </Form>
  )
}

const dayMs = 86_400_000

/** The ends that a key can be given. */
const expiryChoices = choicesOf(texts.apiKeys.expiryChoices)
  // JavaScript puts keys that are numbers first.
  .sort((one, other) => Number(one.value !== 'never') - Number(other.value !== 'never'))

/** @param days `never`, or a number of days from now */
const endOf = (days: string): string | null =>
  days === 'never' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString()

/** One a line, or with commas; null: any. */
function networksOf(text: string): string[] | null {
  const entries = text.split(/[\s,]+/).filter(entry => entry !== '')
  return entries.length === 0 ? null : entries
}
