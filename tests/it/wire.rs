//! Wire truth: `preview --raw` is, byte for byte, what a real Hermes then sends to its model.
//!
//! Each test is one home of one version. A conversation is held in it with a model on loopback that keeps the request:
//! one-shot, and typed into a terminal. The array in it and the previewed one are compared as text.

mod homes;
mod model;
mod owner;

use owner::{Owner, Way};

/// What is true of an array that a home was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Every tool is in it.
    Direct,
    /// The bridge is in it, with a listing of this form.
    Listed(&'static str),
    /// The bridge is in it, and lists nothing.
    Bridged,
}

/// Holds a one-shot conversation and compares: what 0.22 hears from servers it keeps, so the preview comes after it. Then
/// a conversation that is typed into a terminal, previewed before it begins.
fn same_both_ways(version: &'static str, config: &str, shape: Shape) {
    let owner = Owner::new(version, config);
    let sent = owner.talk(Way::OneShot);
    equal(&owner.preview(Way::OneShot), &sent, "one-shot");
    let previewed = owner.preview(Way::Interactive);
    let sent = owner.talk(Way::Interactive);
    equal(&previewed, &sent, "interactive");
    shaped(&owner, &sent, shape);
}

/// The same where Hermes has heard from no server: we have asked them before it does.
fn same_after_probe(version: &'static str, config: &str, shape: Shape) {
    let owner = Owner::new(version, config);
    owner.ours(&["probe"]);
    let previewed = [Way::OneShot, Way::Interactive].map(|way| (way, owner.preview(way)));
    let sent = previewed.map(|(way, previewed)| {
        let sent = owner.talk(way);
        equal(&previewed, &sent, way.surface());
        sent
    });
    shaped(&owner, &sent[1], shape);
}

fn shaped(owner: &Owner, sent: &str, shape: Shape) {
    let bridged = sent.contains("\"name\": \"tool_search\"");
    let preview: serde_json::Value = serde_json::from_slice(&owner.ours(&["preview", "--json"])).unwrap();
    match shape {
        Shape::Direct => assert!(!bridged),
        Shape::Listed(form) => assert_eq!((bridged, &preview["form"]), (true, &form.into())),
        Shape::Bridged => assert!(bridged),
    }
}

/// The texts are long: what differs is shown, tool by tool.
fn equal(previewed: &str, sent: &str, way: &str) {
    if previewed == sent {
        return;
    }
    let tools = |text: &str| serde_json::from_str::<Vec<serde_json::Value>>(text).unwrap();
    let (ours, theirs) = (tools(previewed), tools(sent));
    let names = |tools: &[serde_json::Value]| -> Vec<String> {
        tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&ours), names(&theirs), "{way}: previewed and sent");
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours.to_string(), theirs.to_string(), "{way}: previewed and sent");
    }
    panic!("{way}: the arrays are equal as JSON, and not as text");
}

#[test]
fn hermes_0_22_without_servers() {
    same_both_ways("v22", "", Shape::Listed("full"));
}

#[test]
fn hermes_0_22_with_three_servers() {
    same_both_ways("v22", &homes::three_servers(), Shape::Listed("full"));
}

#[test]
fn hermes_0_22_with_filters() {
    same_both_ways("v22", &homes::filters(), Shape::Listed("full"));
}

#[test]
fn hermes_0_22_listing_names() {
    same_both_ways("v22", &homes::listed_by_name(), Shape::Listed("names"));
}

#[test]
fn hermes_0_22_listing_some_names() {
    same_both_ways("v22", &homes::listed_in_part(), Shape::Listed("mixed"));
}

#[test]
fn hermes_0_22_listing_groups() {
    same_both_ways("v22", &homes::counted(), Shape::Listed("groups"));
}

#[test]
fn hermes_0_22_without_bridge() {
    same_both_ways("v22", &homes::bridge_off(), Shape::Direct);
}

#[test]
fn hermes_0_22_deferring_a_choice_of_its_own() {
    same_both_ways("v22", &homes::own_choice(), Shape::Listed("full"));
}

#[test]
fn hermes_0_19_without_servers() {
    same_both_ways("v19", "", Shape::Direct);
}

#[test]
fn hermes_0_19_with_a_selection() {
    same_both_ways("v19", homes::selected(), Shape::Direct);
}

#[test]
fn hermes_0_22_with_three_servers_we_asked_first() {
    same_after_probe("v22", &homes::three_servers(), Shape::Listed("full"));
}

#[test]
fn hermes_0_19_with_three_servers() {
    same_after_probe("v19", &homes::three_servers(), Shape::Direct);
}

#[test]
fn hermes_0_19_with_filters() {
    same_after_probe("v19", &homes::filters(), Shape::Direct);
}

#[test]
fn hermes_0_19_across_its_threshold() {
    same_after_probe("v19", &homes::counted(), Shape::Bridged);
}

#[test]
fn hermes_0_19_with_the_bridge_off() {
    same_after_probe("v19", &homes::bridge_off(), Shape::Direct);
}
