import { Kbd, Modal, Table } from '@mantine/core'
import { texts } from '../texts/texts.ts'

const rows: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['/'], texts.keyboard.search],
  [['j', '↓'], texts.keyboard.down],
  [['k', '↑'], texts.keyboard.up],
  [['Enter'], texts.keyboard.open],
  [['Esc'], texts.keyboard.escape],
  [['?'], texts.keyboard.help],
]

/** The keys of {@link listenToKeys}, in words. */
export function KeyboardHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={texts.keyboard.title}
      closeButtonProps={{ 'aria-label': texts.common.close }}
    >
      <Table aria-label={texts.keyboard.title}>
        <Table.Tbody>
          {rows.map(([keys, meaning]) => (
            <Table.Tr key={meaning}>
              <Table.Td w={110}>
                {keys.map(key => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
