/**
 * What a reader would not see, and what changes how the rest is seen, is shown by its code: control characters, and
 * the marks by which a text changes its direction, so that what somebody approves is what they have read.
 */
import { type ComponentChildren, options, type VNode } from 'preact';

/** All but tab and line feed, which are shown as what they are. */
const unseen = /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u2028\u2029\u2060\ufeff]|\p{Bidi_Control}/gu;

export const visible = (text: string): string =>
  text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

const shown = (children: ComponentChildren): ComponentChildren =>
  typeof children === 'string' ? visible(children) : Array.isArray(children) ? children.map(shown) : children;

/** Has every text that the console puts into its pages escaped; the values of form fields stay as they are. */
export function escapeTexts(): void {
  const before = options.vnode?.bind(options);
  options.vnode = (vnode: VNode) => {
    const props = vnode.props as { children?: ComponentChildren };
    if (typeof vnode.type === 'string' && vnode.type !== 'textarea' && props.children !== undefined)
      props.children = shown(props.children);
    before?.(vnode);
  };
}
