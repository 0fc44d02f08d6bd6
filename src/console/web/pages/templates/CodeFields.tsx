import { ActionIcon, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { appsMax } from '../../../../base/upstreamLimits.ts'
import { codeWays } from '../../../../forms/templates.ts'
import type { AppDraft, OneTimeCodeDraft } from '../../../../templates/authoring/draft.ts'
import { Choice } from '../../components/Choice.tsx'
import { labelled } from '../../components/fields.ts'
import { Hint } from '../../components/Hint.tsx'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { type DraftState, fieldOf, textsOf } from './draftState.ts'
import { NumberField } from './NumberField.tsx'
import { Problem } from './TextFields.tsx'

const words = templateWords.editor

/** The options of an authentication template: the upstream sets everything else. */
export function CodeFields({ state, button }: { state: DraftState; button: OneTimeCodeDraft }) {
  const { code } = state.draft
  const change = (next: Partial<OneTimeCodeDraft>) => state.change({ buttons: [{ ...button, ...next }] })
  const text = textsOf({ state, part: button, path: '/buttons/0', onChange: change })
  const hasApps = button.way !== 'COPY_CODE'
  return (
    <Stack gap="sm">
      <Hint>{words.codeFixed}</Hint>
      <Checkbox
        label={words.security}
        checked={code.securityRecommendation}
        onChange={event => state.change({ code: { ...code, securityRecommendation: event.currentTarget.checked } })}
      />
      <NumberField
        {...labelled(words, 'expiration')}
        unit={words.minutes}
        value={code.expirationMinutes}
        onChange={expirationMinutes => state.change({ code: { ...code, expirationMinutes } })}
        field={fieldOf(state, '/code/expirationMinutes')}
      />
      <Choice
        label={words.codeWay}
        value={button.way}
        onChange={value => {
          const way = codeWays.find(known => known === value) ?? 'COPY_CODE'
          change({ way, apps: way === 'COPY_CODE' ? [] : button.apps, termsAccepted: false })
        }}
        data={codeWays.map(value => ({ value, label: words.codeWays[value] }))}
      />
      <TextInput {...labelled(words, 'copyLabel')} {...text('text')} />
      {hasApps && <TextInput label={words.autofillLabel} description={words.copyLabelHint} {...text('autofillText')} />}
      {hasApps && <AppFields state={state} button={button} onChange={apps => change({ apps })} />}
      {button.way === 'ZERO_TAP' && (
        <Checkbox
          label={words.terms}
          checked={button.termsAccepted}
          onChange={event => change({ termsAccepted: event.currentTarget.checked })}
          error={state.problemOf('/buttons/0/termsAccepted')}
        />
      )}
    </Stack>
  )
}

/** The apps that may take the code by themselves. */
function AppFields(props: {
  state: DraftState
  button: OneTimeCodeDraft
  onChange: (apps: OneTimeCodeDraft['apps']) => void
}) {
  const { state, button, onChange } = props
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {words.apps}
      </Text>
      {button.apps.map((app, at) => {
        const changeApp = (next: AppDraft) => onChange(button.apps.with(at, next))
        const textOf = textsOf({ state, part: app, path: `/buttons/0/apps/${at}`, onChange: changeApp })
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an app is its place
          <Group key={at} align="flex-start" gap="xs">
            <TextInput
              aria-label={words.packageName}
              placeholder={words.packageName}
              flex={2}
              miw="12rem"
              {...textOf('packageName')}
            />
            <TextInput
              aria-label={words.signatureHash}
              placeholder={words.signatureHash}
              flex={1}
              miw="9rem"
              {...textOf('signatureHash')}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size={36}
              aria-label={words.removeApp(at + 1)}
              onClick={() => onChange(button.apps.toSpliced(at, 1))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        )
      })}
      <Problem of={state.problemOf('/buttons/0/apps')} />
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          disabled={button.apps.length >= appsMax}
          onClick={() => onChange([...button.apps, { packageName: '', signatureHash: '' }])}
        >
          {words.addApp}
        </Button>
      </Group>
    </Stack>
  )
}
