import { ActionIcon, Button, Group, Menu, Paper, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { type Icon, IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { countMax } from '../../../../templates/authoring/buttons.ts'
import type { ButtonDraft } from '../../../../templates/authoring/draft.ts'
import { buttonsMax } from '../../../../templates/authoring/limits.ts'
import { variablesIn } from '../../../../templates/authoring/texts.ts'
import { Hint } from '../../components/Hint.tsx'
import { labelled } from '../../components/labelled.ts'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { type DraftState, type Editing, moved, replaced, textsOf, without } from './draftState.ts'
import { Problem } from './TextFields.tsx'

const words = templateWords.editor

type Kind = ButtonDraft['kind']

/** A new button of this kind. */
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
export function ButtonList({ state, kinds }: { state: DraftState; kinds: readonly Kind[] }) {
  const { buttons } = state.draft
  const onChange = (next: ButtonDraft[]) => state.change({ buttons: next })
  const isFull = (kind: Kind) =>
    buttons.length >= buttonsMax ||
    buttons.filter(button => button.kind === kind).length >= (countMax[kind] ?? buttonsMax)
  return (
    <Stack gap="sm">
      {buttons.length === 0 && <Hint>{words.noButtons}</Hint>}
      {buttons.map((button, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
        <Paper key={at} withBorder p="sm">
          <Group justify="space-between" mb="xs" wrap="nowrap">
            <Text size="sm" fw={600}>
              {at + 1}. {words.buttonKinds[button.kind]}
            </Text>
            <Group gap={4} wrap="nowrap">
              <ButtonAction
                label={words.moveUp(at + 1)}
                sign={IconArrowUp}
                isOff={at === 0}
                onClick={() => onChange(moved(buttons, at, at - 1))}
              />
              <ButtonAction
                label={words.moveDown(at + 1)}
                sign={IconArrowDown}
                isOff={at === buttons.length - 1}
                onClick={() => onChange(moved(buttons, at, at + 1))}
              />
              <ButtonAction
                label={words.removeButton(at + 1)}
                sign={IconTrash}
                color="red"
                onClick={() => onChange(without(buttons, at))}
              />
            </Group>
          </Group>
          <ButtonFields
            state={state}
            part={button}
            path={`/buttons/${at}`}
            onChange={next => onChange(replaced(buttons, at, next))}
          />
        </Paper>
      ))}
      {/* Shown as soon as there are some. */}
      <Problem of={state.problemOf('/buttons')} />
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

function ButtonAction(props: { label: string; sign: Icon; color?: 'red'; isOff?: boolean; onClick: () => void }) {
  const { label, sign: Sign, color = 'gray', isOff, onClick } = props
  return (
    <ActionIcon variant="subtle" color={color} disabled={isOff} aria-label={label} onClick={onClick}>
      <Sign size={16} />
    </ActionIcon>
  )
}

/** What one button says and does; its kind is fixed. */
export function ButtonFields(props: Editing<ButtonDraft>) {
  const { part: button } = props
  switch (button.kind) {
    case 'oneTimeCode':
      return null
    case 'copyCode':
      return <TextInput label={words.offerCode} required {...textsOf({ ...props, part: button })('example')} />
    case 'url': {
      const text = textsOf({ ...props, part: button })
      return (
        <Stack gap="sm">
          <TextInput label={words.label} required {...text('text')} />
          <TextInput {...labelled(words, 'url')} required inputMode="url" {...text('url')} />
          {variablesIn(button.url).length > 0 && <TextInput label={words.urlExample} required {...text('example')} />}
        </Stack>
      )
    }
    case 'phone': {
      const text = textsOf({ ...props, part: button })
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label={words.label} required {...text('text')} />
          <TextInput label={words.phone} required inputMode="tel" {...text('phone')} />
        </SimpleGrid>
      )
    }
    case 'flow': {
      const text = textsOf({ ...props, part: button })
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label={words.label} required {...text('text')} />
          <TextInput label={words.flowId} required {...text('flowId')} />
          <Select
            label={words.flowAction}
            allowDeselect={false}
            value={button.action}
            onChange={action => props.onChange({ ...button, action: action === 'data_exchange' ? action : 'navigate' })}
            data={[
              { value: 'navigate', label: words.flowActions.navigate },
              { value: 'data_exchange', label: words.flowActions.data_exchange },
            ]}
          />
          {button.action === 'navigate' && <TextInput label={words.flowScreen} required {...text('screen')} />}
        </SimpleGrid>
      )
    }
    default:
      return <TextInput label={words.label} required {...textsOf({ ...props, part: button })('text')} />
  }
}
