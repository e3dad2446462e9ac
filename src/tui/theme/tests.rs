use super::*;

fn load(name: &str) -> Theme {
    match ThemeSet::with_user([]).load(name) {
        Ok(theme) => theme,
        Err(error) => panic!("{error}"),
    }
}

fn luminance(color: Color) -> Option<f64> {
    let Color::Rgb(red, green, blue) = color else { return None };
    let channel = |value: u8| {
        let value = f64::from(value) / 255.0;
        if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    Some(0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue))
}

fn contrast(one: Color, other: Color) -> Option<f64> {
    let (one, other) = (luminance(one)?, luminance(other)?);
    Some((one.max(other) + 0.05) / (one.min(other) + 0.05))
}

#[test]
fn every_embedded_theme_loads() {
    for (name, _) in EMBEDDED {
        assert_eq!(load(name).name, *name);
    }
}

#[test]
fn text_can_be_read_where_both_colours_are_known() {
    for (name, _) in EMBEDDED {
        let theme = load(name);
        for role in ROLES {
            let style = theme.role(role).unwrap_or_default();
            let fg = style.fg.or(theme.base.fg);
            let bg = style.bg.or(theme.base.bg);
            let (Some(fg), Some(bg)) = (fg, bg) else { continue };
            let Some(ratio) = contrast(fg, bg) else { continue };
            let least = if matches!(*role, "selected" | "bar" | "border") { 3.0 } else { 4.5 };
            assert!(ratio >= least, "{name}: {role} has {ratio:.2}, needs {least}");
            // Selection is drawn over every span: it must bring both colours or reverse.
        }
    }
}

#[test]
fn the_focused_row_differs_from_the_rest_in_every_theme() {
    for (name, _) in EMBEDDED {
        let selected = load(name).selected;
        let reverses = selected.add_modifier.contains(Modifier::REVERSED);
        assert!(reverses || selected.bg.is_some_and(|bg| bg != Color::Reset), "{name}");
    }
}

#[test]
fn the_default_uses_only_the_terminals_colours_and_none_that_vanish_on_light_or_dark() {
    let theme = load(DEFAULT);
    for role in ROLES {
        let style = theme.role(role).unwrap_or_default();
        for color in [style.fg, style.bg].into_iter().flatten() {
            assert!(!matches!(color, Color::Rgb(..) | Color::Indexed(_)), "{role}");
            let vanishing = [Color::Yellow, Color::LightYellow, Color::Gray, Color::White, Color::Black];
            assert!(!vanishing.contains(&color), "{role} uses {color}");
        }
        assert_eq!(style.bg, None, "{role} paints a background");
    }
}

#[test]
fn mono_has_no_colour_at_all() {
    let theme = load("mono");
    for role in ROLES {
        let style = theme.role(role).unwrap_or_default();
        assert_eq!((style.fg, style.bg), (None, None), "{role}");
    }
}

#[test]
fn every_role_is_used_by_a_view_and_set_by_the_default_theme() {
    let source = concat!(
        include_str!("../view.rs"),
        include_str!("../view/header.rs"),
        include_str!("../view/list.rs"),
        include_str!("../view/detail.rs"),
        include_str!("../view/status.rs"),
        include_str!("../view/modals.rs"),
        include_str!("../view/review.rs"),
        include_str!("../widget/frame.rs"),
    );
    let default: toml::Table = EMBEDDED[0].1.parse().unwrap_or_default();
    for role in ROLES {
        assert!(source.contains(&format!("theme.{role}")), "no view uses {role}");
        assert!(default.get("roles").is_some_and(|roles| roles.get(role).is_some()), "terminal.toml lacks {role}");
    }
}

#[test]
fn an_unknown_role_a_bad_word_and_a_loop_are_refused_with_the_theme_named() {
    let set = |text: &str| ThemeSet::with_user([("mine".to_owned(), text.to_owned())]).load("mine");
    for text in
        ["[roles]\nnope = \"red\"", "[roles]\ntitle = \"reddish\"", "inherits = \"mine\"", "= ", "[roles]\ntitle = 3"]
    {
        let error = set(text).expect_err(text).to_string();
        assert!(error.contains("mine"), "{error}");
    }
    assert!(set("inherits = \"mono\"\n[roles]\ntitle = \"#ff8800 on default bold\"").is_ok());
}

#[test]
fn a_users_theme_wins_over_an_embedded_one_of_its_name() {
    let set = ThemeSet::with_user([("mono".to_owned(), "[roles]\ntitle = \"red\"".to_owned())]);
    assert_eq!(set.load("mono").map(|theme| theme.title.fg), Ok(Some(Color::Red)));
    assert_eq!(set.names().iter().filter(|name| *name == "mono").count(), 1);
}
