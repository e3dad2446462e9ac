//! Names as types, so that a toolset key cannot be passed where a platform is meant.
//!
//! All are cheap to clone (a shared string) and order by code point, as Python's `sorted` does.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

macro_rules! name_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name as the host spells it. Foreign text: sanitise before showing.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(name: &str) -> Self {
                Self(name.into())
            }
        }

        impl From<String> for $name {
            fn from(name: String) -> Self {
                Self(name.into())
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, "{:?}", &*self.0)
            }
        }
    };
}

name_type! {
    /// The name a tool is sent under (`read_file`, `mcp__github__create_issue`).
    ToolName
}
name_type! {
    /// The key of a toolset as configs spell it (`web`, `hermes-cli`), or any other name found in a platform's list.
    ToolsetKey
}
name_type! {
    /// A key of `mcp_servers`, as text (`12306` for the integer key).
    ServerName
}
name_type! {
    /// The key of a platform (`cli`, `telegram`).
    PlatformKey
}
