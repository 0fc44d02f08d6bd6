import { Code, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { dayMs } from '../../../../base/durations.ts'
import { type KeyScope, keyScopes } from '../../../../base/keyScopes.ts'
import { nameLengthMax } from '../../../../base/names.ts'
import type { OnOptOut } from '../../../../message/optOut.ts'
import { answerOf } from '../../api/client.ts'
import { useWorkspaceRoutes } from '../../app/workspaceData.ts'
import { all, Choices, chosenOf } from '../../components/Choices.tsx'
import { Form, useForm } from '../../components/Form.tsx'
import { choicesOf, labelled } from '../../components/fields.ts'
import { localTime } from '../../components/times.ts'
import { optOuts } from '../../texts/en/optOuts.ts'
import { capital, texts } from '../../texts/texts.ts'
import { LineChoices } from '../channels/LineChoices.tsx'
import { KeySecret } from './KeySecret.tsx'
import type { ListedKey } from './queries.ts'

const words = texts.apiKeys

/** The end stays as it is. */
const asNow = 'asNow'
/** The key has no word of its own. */
const ofWorkspace = 'workspace'

/**
 * When a key ends and where it can be used from; then the secret of a new one.
 * @param props.apiKey that is limited; null: a new one, which gets a label
 * @param props.chosen of a new one at first; everything on all lines without it
 */
export function KeyForm(props: {
  apiKey: ListedKey | null
  chosen?: { scopes: readonly KeyScope[]; lineId: string }
  onDone: () => void
}) {
  const { apiKey: key, chosen, onDone } = props
  const { routes, refresh, change } = useWorkspaceRoutes()
  const end = key?.expiresAt ?? null
  const choices = end === null ? expiryChoices : [{ value: asNow, label: localTime(new Date(end)) }, ...expiryChoices]
  const form = useForm({
    initial: {
      label: '',
      scopes: chosen?.scopes.join() ?? all,
      lineIds: chosen?.lineId ?? all,
      expiresAt: end === null ? 'never' : asNow,
      allowedNetworks: key?.allowedNetworks?.join('\n') ?? '',
      onOptOut: key?.onOptOut ?? ofWorkspace,
    },
    rules: {
      scopes: value => (value === '' ? words.chooseOne : null),
      lineIds: value => (value === '' ? words.chooseOne : null),
    },
    async send({ label, scopes, lineIds, expiresAt, allowedNetworks, onOptOut }) {
      const limits = {
        expiresAt: expiresAt === asNow ? end : endOf(expiresAt),
        allowedNetworks: networksOf(allowedNetworks),
        // The form offers no other.
        onOptOut: onOptOut === ofWorkspace ? null : (onOptOut as OnOptOut),
      }
      if (key === null) {
        const named = label.trim() === '' ? {} : { label: label.trim() }
        // The form offers only scopes that there are.
        const allowed = { scopes: chosenOf(scopes) as ListedKey['scopes'], lineIds: chosenOf(lineIds) }
        return answerOf(routes['api-keys'].post({ ...named, ...allowed, ...limits }))
      }
      await change(routes['api-keys']({ keyId: key.apiKey }).limits.put(limits))
      return null
    },
    onSuccess: made => (made === null ? onDone() : void refresh()),
  })
  if (form.sent.data) return <KeySecret {...form.sent.data} onDone={onDone} />
  return (
    <Form form={form} submit={key === null ? words.create : texts.common.save} onCancel={onDone}>
      {key === null && (
        <>
          <TextInput {...labelled(words, 'label')} maxLength={nameLengthMax} data-autofocus {...form.text('label')} />
          <Choices
            {...labelled(words, 'scopes')}
            {...form.text('scopes')}
            onChange={scopes => form.set({ scopes })}
            whole={words.everything}
            choices={scopeChoices}
          />
          <LineChoices form={form} words={words} />
        </>
      )}
      <NativeSelect {...labelled(words, 'expires')} data={choices} data-autofocus {...form.text('expiresAt')} />
      <Textarea {...labelled(words, 'networks')} autosize minRows={2} {...form.text('allowedNetworks')} />
      <NativeSelect
        label={optOuts.onOptOut}
        data={[{ value: ofWorkspace, label: optOuts.asWorkspace }, ...choicesOf(optOuts.choices)]}
        {...form.text('onOptOut')}
      />
    </Form>
  )
}

/** With the names that the API has for them. */
const scopeChoices = keyScopes.map(scope => ({
  value: scope,
  label: (
    <>
      {capital(words.scopeNames[scope])} <Code>{scope}</Code>
    </>
  ),
  description: words.scopeMeanings[scope],
}))

/** The ends that a key can be given. */
const expiryChoices = choicesOf(words.expiryChoices)
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
