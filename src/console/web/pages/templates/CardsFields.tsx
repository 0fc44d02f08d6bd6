import { ActionIcon, Button, Checkbox, Group, Paper, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { IconPlus, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { cardBodyCharsMax, cardButtonsMax, cardsMax, cardsMin } from '../../../../base/upstreamLimits.ts'
import { type CardDraft, emptyBody } from '../../../../templates/authoring/draft.ts'
import {
  cardButtonKinds,
  cardHeaderKinds,
  emptyLike,
  productButtonKinds,
  withHeader,
} from '../../../../templates/authoring/parts.ts'
import { Choice } from '../../components/Choice.tsx'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { AddButton, ButtonFields } from './ButtonFields.tsx'
import type { DraftState, Editing } from './draftState.ts'
import { HeaderFields, type UploadTarget } from './HeaderFields.tsx'
import { BodyFields, Problem } from './TextFields.tsx'

const words = templateWords.editor

/** The cards of a carousel. Their common structure is chosen once, so that they cannot differ in it. */
export function CardsFields({ state, target }: { state: DraftState; target: UploadTarget }) {
  const { cards } = state.draft
  const [shown, setShown] = useState('0')
  const [first] = cards
  if (!first) return null
  const change = (next: readonly CardDraft[]) => state.change({ cards: next })
  const copyOfLast = () => {
    change([...cards, emptyLike(cards.at(-1) ?? first)])
    setShown(String(cards.length))
  }
  const at = Math.min(Number(shown), cards.length - 1)
  const card = cards[at] ?? first
  return (
    <Stack>
      <CommonShape state={state} first={first} onChange={of => change(cards.map(of))} />
      <Group justify="space-between" align="flex-end" gap="xs">
        <SegmentedControl
          value={String(at)}
          onChange={setShown}
          data={cards.map((_, place) => ({ value: String(place), label: String(place + 1) }))}
        />
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            disabled={cards.length >= cardsMax}
            onClick={copyOfLast}
          >
            {words.addCard}
          </Button>
          <ActionIcon
            variant="default"
            size={30}
            color="red"
            disabled={cards.length <= cardsMin}
            aria-label={words.removeCard(at + 1)}
            onClick={() => change(cards.toSpliced(at, 1))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      </Group>
      <CardFields
        key={at}
        state={state}
        part={card}
        path={`/cards/${at}`}
        target={target}
        onChange={next => change(cards.with(at, next))}
      />
    </Stack>
  )
}

/** What all cards have in common. @param props.onChange gets what is done to each */
function CommonShape(props: {
  state: DraftState
  first: CardDraft
  onChange: (of: (card: CardDraft) => CardDraft) => void
}) {
  const { state, first, onChange } = props
  return (
    <Paper withBorder p="sm">
      <Title order={3} size="sm">
        {words.cardShape}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.cardShapeHint}
      </Text>
      <Stack gap="sm">
        <Choice
          label={words.cardHeader}
          value={first.header.kind}
          onChange={value => {
            const kind = cardHeaderKinds.find(known => known === value) ?? 'image'
            onChange(card => withHeader(card, kind))
          }}
          data={cardHeaderKinds.map(value => ({ value, label: words.headerKinds[value] }))}
        />
        <Checkbox
          label={words.cardText}
          checked={first.body !== null}
          onChange={event => {
            const body = event.currentTarget.checked ? emptyBody : null
            onChange(card => ({ ...card, body }))
          }}
        />
        <div>
          <Text size="sm" fw={500} mb={4}>
            {words.buttons}
          </Text>
          <Group gap="xs">
            {first.buttons.map((button, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
              <Button.Group key={place}>
                <Button.GroupSection variant="default" size="xs">
                  {words.buttonKinds[button.kind]}
                </Button.GroupSection>
                <ActionIcon
                  variant="default"
                  size={30}
                  aria-label={words.removeButton(place + 1)}
                  onClick={() => onChange(card => ({ ...card, buttons: card.buttons.toSpliced(place, 1) }))}
                >
                  <IconX size={14} />
                </ActionIcon>
              </Button.Group>
            ))}
            <AddButton
              kinds={first.header.kind === 'product' ? productButtonKinds : cardButtonKinds}
              size="xs"
              isOff={first.buttons.length >= cardButtonsMax}
              onAdd={button => onChange(card => ({ ...card, buttons: [...card.buttons, button] }))}
            />
          </Group>
          <Problem of={state.problemOf('/cards/0/buttons')} />
        </div>
      </Stack>
    </Paper>
  )
}

function CardFields(props: Editing<CardDraft> & { target: UploadTarget }) {
  const { state, part: card, path, target, onChange } = props
  return (
    <Stack gap="sm">
      <HeaderFields
        state={state}
        part={card.header}
        path={`${path}/header`}
        target={target}
        onChange={header => onChange({ ...card, header })}
      />
      {card.body && (
        <BodyFields
          state={state}
          part={card.body}
          path={`${path}/body`}
          max={cardBodyCharsMax}
          onChange={body => onChange({ ...card, body })}
        />
      )}
      {card.buttons.map((button, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a button is its place
        <Paper key={place} withBorder p="sm">
          <Text size="sm" fw={600} mb="xs">
            {place + 1}. {words.buttonKinds[button.kind]}
          </Text>
          <ButtonFields
            state={state}
            part={button}
            path={`${path}/buttons/${place}`}
            onChange={next => onChange({ ...card, buttons: card.buttons.with(place, next) })}
          />
        </Paper>
      ))}
    </Stack>
  )
}
