import { NativeSelect, Textarea } from '@mantine/core'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { Form, useForm } from '../../components/Form.tsx'
import { labelled } from '../../components/labelled.ts'
import { localTime } from '../../components/times.ts'
import { texts } from '../../texts/texts.ts'
import { endOf, expiryChoices, networksOf } from './limits.ts'
import type { ApiKey } from './queries.ts'

const words = texts.apiKeys
/** The expiry stays as it is. */
const asNow = 'asNow'

/** Changes when a key expires and which networks may use it. */
export function LimitForm({ apiKey: key, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const { routes, change } = useWorkspaceRoutes()
  const end = key.expiresAt
  const choices = end === null ? expiryChoices : [{ value: asNow, label: localTime(new Date(end)) }, ...expiryChoices]
  const form = useForm({
    initial: { expiresAt: end === null ? 'never' : asNow, allowedNetworks: key.allowedNetworks?.join('\n') ?? '' },
    refusals: 'atFieldAndBelow',
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
