/**
 * Characters that are not seen or change what is seen: controls, direction marks, zero-width and tag characters, lone
 * surrogates. Variation selectors of emoji stay.
 */
export const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;

/** Line breaks and blanks of any kind. */
export const BREAKS = /[\s\u0085]+/gu;

/** What programs turn into links: addresses with a scheme, and `www.`. A blank behind the match breaks the link. */
export const LINK = /:(?=\/\/)|\bwww\.(?=\S)|\b(?:mailto|tel|javascript|data):(?=\S)/giu;
