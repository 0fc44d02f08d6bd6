import { ActionIcon, Button, Group, Menu, Paper, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { countMax } from '../../../../templates/authoring/buttons.ts'
import type { ButtonDraft } from '../../../../templates/authoring/draft.ts'
import { buttonsMax } from '../../../../templates/authoring/limits.ts'
import { variablesIn } from '../../../../templates/authoring/texts.ts'
import { texts } from '../../texts/texts.ts'
import { type DraftState, fieldOf, moved, replaced, without } from './draftState.ts'

const words = texts.templates.editor

type Kind = ButtonDraft['kind']

/** What a button of this kind is at first. */
export function buttonOf(kind: Kind): ButtonDraft {
  const text = words.defaultLabels[kind]
  switch (kind) {
    case 'url':
      return { kind, text, url: 'https://', example: '' }
    case 'phone':
      return { kind, text, phone: '' }
    case 'copyCode':
      return { kind, example: '' }
    case 'flow':
      return { kind, text, flowId: '', action: 'navigate', screen: '' }
    case 'oneTimeCode':
      return { kind, way: 'COPY_CODE', text, autofillText: '', apps: [], termsAccepted: false }
    default:
      return { kind, text }
  }
}

/** The buttons of a message. @param kinds those that can be added */
export function ButtonList({
  state,
  buttons,
  kinds,
  onChange,
}: {
  state: DraftState
  buttons: readonly ButtonDraft[]
  kinds: readonly Kind[]
  onChange: (buttons: ButtonDraft[]) => void
}) {
  const isFull = (kind: Kind) =>
    buttons.length >= buttonsMax ||
    buttons.filter(button => button.kind === kind).length >= (countMax[kind] ?? buttonsMax)
  // About all of them together: it is shown as soon as there are some.
  const together = state.problemOf('/buttons')
  return (
    <Stack gap="sm">
      {buttons.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.noButtons}
        </Text>
      )}
      {buttons.map((button, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
        <Paper key={at} withBorder p="sm">
          <Group justify="space-between" mb="xs" wrap="nowrap">
            <Text size="sm" fw={600}>
              {at + 1}. {words.buttonKinds[button.kind]}
            </Text>
            <Group gap={4} wrap="nowrap">
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={at === 0}
                aria-label={words.moveUp(at + 1)}
                onClick={() => onChange(moved(buttons, at, at - 1))}
              >
                <IconArrowUp size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={at === buttons.length - 1}
                aria-label={words.moveDown(at + 1)}
                onClick={() => onChange(moved(buttons, at, at + 1))}
              >
                <IconArrowDown size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={words.removeButton(at + 1)}
                onClick={() => onChange(without(buttons, at))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Group>
          </Group>
          <ButtonFields
            state={state}
            button={button}
            path={`/buttons/${at}`}
            onChange={next => onChange(replaced(buttons, at, next))}
          />
        </Paper>
      ))}
      {together && (
        <Text size="sm" c="red" role="alert">
          {together}
        </Text>
      )}
      <Group>
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" leftSection={<IconPlus size={16} />} disabled={buttons.length >= buttonsMax}>
              {words.addButton}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {kinds.map(kind => (
              <Menu.Item
                key={kind}
                disabled={isFull(kind)}
                onClick={() => {
                  state.touch('/buttons')
                  onChange([...buttons, buttonOf(kind)])
                }}
              >
                {words.buttonKinds[kind]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
    </Stack>
  )
}

/** What one button says and does; its kind is fixed. @param path of the button in the draft */
export function ButtonFields({
  state,
  button,
  path,
  onChange,
}: {
  state: DraftState
  button: ButtonDraft
  path: string
  onChange: (button: ButtonDraft) => void
}) {
  const field = (name: string) => fieldOf(state, `${path}/${name}`)
  if (button.kind === 'oneTimeCode') return null
  if (button.kind === 'copyCode') {
    return (
      <TextInput
        label={words.offerCode}
        required
        value={button.example}
        onChange={event => onChange({ ...button, example: event.currentTarget.value })}
        {...field('example')}
      />
    )
  }
  const label = (
    <TextInput
      label={words.label}
      required
      value={button.text}
      onChange={event => onChange({ ...button, text: event.currentTarget.value })}
      {...field('text')}
    />
  )
  switch (button.kind) {
    case 'url':
      return (
        <Stack gap="sm">
          {label}
          <TextInput
            label={words.url}
            description={words.urlHint}
            required
            inputMode="url"
            value={button.url}
            onChange={event => onChange({ ...button, url: event.currentTarget.value })}
            {...field('url')}
          />
          {variablesIn(button.url).length > 0 && (
            <TextInput
              label={words.urlExample}
              required
              value={button.example}
              onChange={event => onChange({ ...button, example: event.currentTarget.value })}
              {...field('example')}
            />
          )}
        </Stack>
      )
    case 'phone':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {label}
          <TextInput
            label={words.phone}
            required
            inputMode="tel"
            value={button.phone}
            onChange={event => onChange({ ...button, phone: event.currentTarget.value })}
            {...field('phone')}
          />
        </SimpleGrid>
      )
    case 'flow':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {label}
          <TextInput
            label={words.flowId}
            required
            value={button.flowId}
            onChange={event => onChange({ ...button, flowId: event.currentTarget.value })}
            {...field('flowId')}
          />
          <Select
            label={words.flowAction}
            allowDeselect={false}
            value={button.action}
            onChange={action => onChange({ ...button, action: action === 'data_exchange' ? action : 'navigate' })}
            data={[
              { value: 'navigate', label: words.flowActions.navigate },
              { value: 'data_exchange', label: words.flowActions.data_exchange },
            ]}
          />
          {button.action === 'navigate' && (
            <TextInput
              label={words.flowScreen}
              required
              value={button.screen}
              onChange={event => onChange({ ...button, screen: event.currentTarget.value })}
              {...field('screen')}
            />
          )}
        </SimpleGrid>
      )
    default:
      return label
  }
}
