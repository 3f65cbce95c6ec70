//! The paths of values in the response (GraphQL specification, section 7.1.2).

use async_graphql::{Name, PathSegment};

/// The path of a field in the response.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) parent: Option<&'a Path<'a>>,
    pub(super) segment: Segment<'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Segment<'a> {
    Field(&'a Name),
    Index(usize),
}

impl<'a> Path<'a> {
    pub(super) fn to_segments(self) -> Vec<PathSegment> {
        let segments = self.segments().map(|segment| match segment {
            Segment::Field(name) => PathSegment::Field(name.to_string()),
            Segment::Index(index) => PathSegment::Index(index),
        });
        let mut path: Vec<_> = segments.collect();
        path.reverse();
        path
    }

    /// From the field to the root.
    pub(super) fn segments(self) -> impl Iterator<Item = Segment<'a>> {
        let paths = std::iter::successors(Some(self), |path| path.parent.copied());
        paths.map(|path| path.segment)
    }
}
