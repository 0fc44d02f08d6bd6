import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconColumns3 } from '@tabler/icons-react'
import { texts } from '../texts/texts.ts'
import type { Column } from './DataTable.tsx'

/**
 * The columns that somebody wants to see; remembered in the browser.
 * @param list names the list
 * @param optional the headers of those that can be hidden
 */
export function useColumnChoice<Row>(list: string, columns: readonly Column<Row>[], optional: readonly string[]) {
  const [hidden, setHidden] = useLocalStorage<readonly string[]>({ key: `waypost.hidden.${list}`, defaultValue: [] })
  const isShown = (header: string) => !hidden.includes(header)
  return {
    columns: columns.filter(({ header }) => !optional.includes(header) || isShown(header)),
    choice: (
      <Popover position="bottom-end" trapFocus>
        <Popover.Target>
          <Button variant="default" size="xs" leftSection={<IconColumns3 size={16} />} className="column-choice">
            {texts.common.columns}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={texts.common.columns}>
          <Stack gap="xs">
            {optional.map(header => (
              <Checkbox
                key={header}
                label={header}
                checked={isShown(header)}
                onChange={() => setHidden(isShown(header) ? [...hidden, header] : hidden.filter(one => one !== header))}
              />
            ))}
          </Stack>
        </Popover.Dropdown>
      </Popover>
    ),
  }
}
