import { Stack, TextInput } from '@mantine/core'
import { addressKey, type SendValues, sharedAddresses } from '../../../../templates/authoring/values.ts'
import { Hint } from '../../components/Hint.tsx'
import { Warning } from '../../components/Warning.tsx'
import { templates as words } from '../../texts/en/templates.ts'
import type { TemplateDetail } from './queries.ts'

type Variable = TemplateDetail['variables'][number]

/** A field for each value that a send gives. */
export function ValueFields(props: {
  detail: TemplateDetail
  values: SendValues
  /** What they are for; null: nothing need be said. */
  hint?: string | null
  onChange: (values: SendValues) => void
}) {
  const { detail, values, hint = words.variablesHint, onChange } = props
  const { variables, unsupported } = detail
  if (unsupported.length > 0) {
    return <Warning title={words.unsupported}>{words.unsupportedHint(unsupported.join(', '))}</Warning>
  }
  const asked = variables.filter(({ kind }) => kind !== 'mediaId')
  if (asked.length === 0) {
    return <Hint>{words.noVariables}</Hint>
  }
  // One key fills several places: the text may need another value than header and address.
  const inBody = asked.filter(({ places, card }) => card === null && places.length > 1 && places.includes('body'))
  return (
    <Stack gap="sm">
      {hint !== null && <Hint>{hint}</Hint>}
      {asked.map(variable => (
        <TextInput
          key={variable.key}
          label={nameOf(variable)}
          description={variable.places.length > 1 ? words.inPlaces(variable.places.join(', ')) : undefined}
          required={variable.isRequired}
          {...(!variable.isRequired && { placeholder: words.optional })}
          value={values.variables[variable.key] ?? ''}
          onChange={event => {
            const next = { ...values.variables, [variable.key]: event.currentTarget.value }
            onChange({ ...values, variables: next })
          }}
        />
      ))}
      {inBody.map(({ key }) => (
        <TextInput
          key={`body ${key}`}
          label={words.bodyValue(key)}
          description={words.bodyValueHint}
          placeholder={words.optional}
          value={values.body[key] ?? ''}
          onChange={event => onChange({ ...values, body: { ...values.body, [key]: event.currentTarget.value } })}
        />
      ))}
      {sharedAddresses(detail.template.draft).map(({ card, index, variable }) => {
        const key = addressKey(card, index)
        return (
          <TextInput
            key={`address ${key}`}
            label={words.addressValue(card + 1, variable)}
            description={words.addressValueHint}
            placeholder={words.optional}
            value={values.addresses[key] ?? ''}
            onChange={event =>
              onChange({ ...values, addresses: { ...values.addresses, [key]: event.currentTarget.value } })
            }
          />
        )
      })}
    </Stack>
  )
}

function nameOf({ key, card }: Variable): string {
  if (card === null) return words.keyNames[key] ?? words.variableLabel(key)
  const own = key.slice(`c${card}_`.length)
  return `${words.card(card + 1)}: ${words.keyNames[own] ?? words.variableLabel(own)}`
}
