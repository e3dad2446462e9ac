//! The grammars a Hermes may read a config by. They agree on nearly every text; where they do not, one Hermes
//! loads a file that another ignores.
//!
//! Hermes 0.19 reads with PyYAML's C loader, which is libyaml 0.2.5. Hermes 0.22 reads with ruamel.yaml's C loader,
//! which carries libyaml 0.1.7, and reads a text that one refuses again with ruamel.yaml's own parser in its YAML 1.1
//! mode. With a `---` above, that parser forgets the mode: it goes on by YAML 1.2, where `on` is text. All of them read
//! U+0085, U+2028 and U+2029 as line ends, and need no indentation inside brackets.

use crate::engine::rules::Dialect;

/// Who scans and parses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grammar {
    /// libyaml 0.2.5.
    Libyaml2,
    /// libyaml 0.1.7: stricter about `:` and `?` inside brackets.
    Libyaml1,
    /// ruamel.yaml in Python, by YAML 1.1.
    Ruamel,
    /// ruamel.yaml in Python, by YAML 1.2.
    Ruamel12,
}

impl Grammar {
    /// The grammars a Hermes tries, in its order: the first that loads the text decides.
    pub(super) fn of(dialect: Dialect) -> &'static [Self] {
        match dialect {
            Dialect::PyYaml => &[Self::Libyaml2],
            Dialect::Ruamel => &[Self::Libyaml1, Self::Ruamel],
        }
    }

    pub(super) fn is_libyaml(self) -> bool {
        matches!(self, Self::Libyaml2 | Self::Libyaml1)
    }

    /// Whether PyYAML constructs the values; ruamel.yaml does otherwise.
    pub(super) fn is_pyyaml(self) -> bool {
        self == Self::Libyaml2
    }

    pub(super) fn is_yaml12(self) -> bool {
        self == Self::Ruamel12
    }
}
