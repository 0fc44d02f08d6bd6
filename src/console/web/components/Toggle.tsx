import { Button } from '@mantine/core'

/** Shows only some of a list, as long as it is pressed. */
export function Toggle(props: { label: string; title?: string; isOn: boolean; onChange: (value: string) => void }) {
  const { label, title, isOn, onChange } = props
  return (
    <Button
      {...{ size: 'xs', h: 36, px: 'xs', flex: 'none', fw: 500, title }}
      variant={isOn ? 'filled' : 'default'}
      aria-pressed={isOn}
      onClick={() => onChange(isOn ? '' : 'true')}
    >
      {label}
    </Button>
  )
}
